"""Generated sets of the registry in small, and models trained on them."""

from copy import deepcopy
from pathlib import Path

from checkout import configured
from opchar.datasets.building import build
from opchar.datasets.features import FeatureTable
from opchar.files import write_json
from opchar.models.training import train
from opchar.scores import ScoreTable
from opchar.seeds import spawner


def drawn(
    name: str, model: str, protocol: str, folder: Path, **parts: int
) -> tuple[dict[tuple[str, str], ScoreTable], dict[str, FeatureTable]]:
    """Return the scores of a model on a set drawn with so many objects per class, and the set."""
    sets, protocols, words = (configured(file) for file in ("datasets", "protocols", "models"))
    entry = deepcopy(sets[name])
    assert set(parts) == set(entry["generator"]["parts"])
    entry["generator"]["parts"] = {
        part: dict.fromkeys(entry["classes"], size) for part, size in parts.items()
    }
    entry["classes"] = dict.fromkeys(entry["classes"], sum(parts.values()))
    entry["shape"] = [sum(entry["classes"].values()), entry["shape"][1]]
    write_json({"files": {}}, folder / "PROVENANCE.json")
    features = build(name, {name: entry}, folder, spawner(1))
    table = train(features, model, words, protocols[protocol], spawner(1, name, protocol))
    return {(name, model): table}, {name: features}
