#!/usr/bin/env bash
# What `make demo` shows: the examples become a hypergraph in Neo4j, and three questions are answered from it.
set -euo pipefail
cd "$(dirname "$0")/.."
clew=${CLEW:-clew}

questions=(
  "Where was the founder of the Merrow Lights Board born?"
  "Who founded the school attended by the author of A Keeper's Almanac?"
  "Where was the founder of the school attended by the maker of the lens of the Tarrock Point Lighthouse born?"
)

"$clew" up
"$clew" ingest examples/encyclopaedia --kb examples
for question in "${questions[@]}"; do
  printf '\n\033[1m%s\033[0m\n' "$question"
  "$clew" ask "$question" --kb examples
done

printf '\nNow look for yourself:\n'
printf '  %-48s %s\n' \
  "make ui" "the app: ask, follow the agent, open the cited text" \
  "$clew browse --kb examples" "the hypergraph in Neo4j Browser" \
  "$clew ask \"…\" --kb examples" "a question of your own" \
  "make down" "stop Neo4j"
