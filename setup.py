"""What pyproject.toml cannot say of `problem_sets`, which is installed as `ocaml_reward_problems`.

Other packages import it by its name in the tree: building a wheel changes that in their copies.
An editable installation runs the tree, whose `ocaml_reward_problems.py` gives it the other name.
"""

from __future__ import annotations

import re
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.command.editable_wheel import editable_wheel

IN_TREE, INSTALLED = "problem_sets", "ocaml_reward_problems"
# With `import problem_sets` its uses would have to change, too; a test refuses it.
IMPORT = re.compile(rf"^(\s*from ){IN_TREE}\b", re.MULTILINE)


class BuildPy(build_py):
    """Copies modules, and changes the name in their imports."""

    def build_module(self, module: str, module_file: str, package: str) -> tuple[str, bool]:
        """Copy one module."""
        built, is_new = super().build_module(module, module_file, package)
        text = Path(built).read_text(encoding="utf-8")
        if (changed := IMPORT.sub(rf"\g<1>{INSTALLED}", text)) != text:
            Path(built).write_text(changed, encoding="utf-8")
        return built, is_new


class EditableWheel(editable_wheel):
    """Makes both names of the tree importable."""

    def run(self) -> None:
        """Build the wheel that refers to the tree."""
        tree = self.distribution
        tree.packages = [re.sub(rf"^{INSTALLED}\b", IN_TREE, name) for name in tree.packages]
        del tree.package_dir[INSTALLED]
        tree.py_modules = [INSTALLED]
        super().run()


setup(cmdclass={"build_py": BuildPy, "editable_wheel": EditableWheel})
