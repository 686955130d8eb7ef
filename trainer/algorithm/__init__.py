"""The algorithm: rollouts, rewards, advantages, and the trainers that use them."""
