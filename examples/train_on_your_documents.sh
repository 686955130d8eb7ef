#!/usr/bin/env bash
# Trains a language model to find its way through your own documents: graph, questions, training, policy.
#
#   examples/train_on_your_documents.sh DOCUMENTS MODEL FOLDER [OPTIONS]
#
# DOCUMENTS is a folder or file, MODEL a folder or a hub name of a causal language model in Hugging Face's form. FOLDER is
# new: it gets the questions, the run and the trained policy. OPTIONS go to `python -m trainer run`: a first try that
# takes minutes on a CPU is
#   --set training.steps=2 --set training.questions=2 --set training.group=2 --set training.mini_batch=2
# It wants `make install-train`, `. .venv/bin/activate`, and a GPU for any model of a useful size. CLEW_KB names the
# knowledge base, COUNT the number of questions, RECIPE the recipe (`python -m trainer list`).
set -euo pipefail

if (($# < 3)); then
  echo "usage: $0 DOCUMENTS MODEL FOLDER [OPTIONS of trainer run]" >&2
  exit 2
fi
documents=$1 model=$2 folder=$3
shift 3
kb=${CLEW_KB:-own}
recipe=${RECIPE:-graph-r1}
python=${PYTHON:-python}
clew=${CLEW:-clew}

"$clew" ingest "$documents" --kb "$kb"

# No fact of one file is in another: a tightly linked graph may leave nothing for dev or test.
"$python" -m trainer questions "$folder/questions" --kb "$kb" --count "${COUNT:-1000}"
if [[ ! -f "$folder/questions/train.jsonl" ]]; then
  echo "No question could be made of $documents: bring in more, or longer, documents." >&2
  exit 1
fi
splits=()
for split in train dev test; do
  if [[ -f "$folder/questions/$split.jsonl" ]]; then
    splits+=("--$split" "$folder/questions/$split.jsonl")
  fi
done

run=("$recipe" --kb "$kb" --model "$model" "${splits[@]}" "$@")
"$python" -m trainer run "${run[@]}" --dry-run
"$python" -m trainer run "${run[@]}" --runs "$folder/runs" --name own
"$python" -m trainer show own --runs "$folder/runs"
"$python" -m trainer export own --runs "$folder/runs" --out "$folder/policy"

printf '\nServe it, and ask with it:\n'
printf '  %s\n' \
  "transformers serve $folder/policy --port 8000" \
  "CLEW_LLM_BASE_URL=http://localhost:8000/v1 CLEW_LLM_MODEL=$folder/policy clew ask \"…\" --kb $kb --policy llm"
