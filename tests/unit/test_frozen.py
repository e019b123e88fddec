"""What functions of the library return cannot be changed by accident."""

import importlib
import pkgutil
from dataclasses import is_dataclass

import pytest


@pytest.mark.parametrize(
    "part", ["combination", "decisions", "metrics", "multiclass", "reject", "spaces", "statistics"]
)
def test_dataclasses_are_frozen(part: str) -> None:
    package = importlib.import_module(f"opchar.{part}")
    modules = [
        importlib.import_module(found.name)
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
    ]
    kinds = {each for module in modules for each in vars(module).values() if is_dataclass(each)}
    changeable = {kind for kind in kinds if not kind.__dataclass_params__.frozen}
    assert kinds
    assert not changeable
