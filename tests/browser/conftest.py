"""One browser for the tests of a file."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from watching import launched


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as found:
        yield found
