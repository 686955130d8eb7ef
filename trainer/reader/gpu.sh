#!/usr/bin/env bash
# Trains a reader where there is a GPU, PyTorch, transformers and scikit-learn, but neither Clew nor a network.
#
#   bash trainer/reader/gpu.sh pack BASE DATA FOLDER            here: the base in int8 and the data, to be carried there
#   bash trainer/reader/gpu.sh train FOLDER OUT [--set A=B …]   there: the weights, in files of at most 16 MB
#
# BASE is a folder of a BERT or a file of a reader's weights, DATA holds train, unanswerable, yesno and multispan
# (.jsonl.gz) and the ids to leave out. What comes back is measured and calibrated with
# `python -m trainer reader DATA/*.jsonl.gz --reader OUT/reader.safetensors --test … --out FOLDER`.
set -euo pipefail
cd "$(dirname "$0")/../.."
export PYTHONPATH="$PWD/platform" PYTHONUNBUFFERED=1
PYTHON=${PYTHON:-python3}
learn() { "$PYTHON" -c 'from clew.trainer.reader.command import reader; reader()' "$@" --no-calibrate; }

case "${1:-}" in
pack)
  base=$2 data=$3 folder=$4
  mkdir -p "$folder/data"
  cp "$data"/{train,unanswerable,yesno,multispan}.jsonl.gz "$data/train_ids_touching_eval_corpora.txt" "$folder/data"
  site=$("$PYTHON" -c 'import os, syntok; print(os.path.dirname(syntok.__file__))')
  mkdir -p "$folder/site-packages" && cp -r "$site" "$folder/site-packages"
  learn "$folder/data/multispan.jsonl.gz" --base "$base" --out "$folder/base" --set passes=0
  ;;
train)
  folder=$2 out=$3
  shift 3
  work=$(mktemp -d)
  export PYTHONPATH="$PYTHONPATH:$folder/site-packages"
  learn "$folder"/data/*.jsonl.gz --leave-out "$folder/data/train_ids_touching_eval_corpora.txt" \
    --base "$folder/base/reader.safetensors" --out "$work" --set rate=1e-4 --set checkpoint=1e9 "$@"
  mkdir -p "$out"
  cp "$work"/reader*.safetensors "$work/tokenizer.json" "$work/README.md" "$out"
  ;;
*) sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
