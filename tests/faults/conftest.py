"""A server that plays official site and mirror, and where a set would be put."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from faults.test_fetching_server import Site


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.server.shutdown()
    site.server.server_close()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "raw" / "toy"
