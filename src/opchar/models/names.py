"""Model names of the works, such as ``"pca17 ldc"``, ``"mogc2,1,2"`` or ``"sc svc r 16"``.

Splitting a name needs the standard library only, so that a run can be planned from names without
loading a single estimator.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from inspect import signature
from typing import TYPE_CHECKING, Any

from opchar.errors import ConfigError, nearest
from opchar.functions import import_function

if TYPE_CHECKING:
    from sklearn.base import BaseEstimator

Argument = int | float | str
Step = tuple[str, tuple[Argument, ...], str]
Vocabulary = Mapping[str, Mapping[str, Any]]

_SEPARATORS = re.compile(r"[\s\-]+")
_IMPORTABLE = re.compile(r"([A-Za-z_]\w*(?:\.\w+)+:[A-Za-z_]\w*)(?= |$)")


def split(name: str, vocabulary: Vocabulary, kind: str = "classifier") -> list[Step]:
    r"""Split a model name into its words.

    Returned: of a system such as ``"socmc pca0.99 gauss + ldc"`` the word for the system comes
    first, then those of the detector and those of the classifier.
    """
    text = _SEPARATORS.sub(" ", str(name)).strip()
    if (system := _system(name, text, vocabulary)) is not None:
        word, detector, classifier = system
        first = split(detector, vocabulary, "detector")
        return [(word, (), vocabulary[word]["function"]), *first, *split(classifier, vocabulary)]
    spellings = _spellings(vocabulary, kind)
    steps: list[Step] = []
    place = 0
    while place < len(text):
        step, place = _next_step(name, text, place, vocabulary, spellings)
        steps.append(step)
    if not steps:
        raise ConfigError(f"empty model name; give words such as {_examples(vocabulary)}")
    for number, (word, _, _) in enumerate(steps, start=1):
        role = vocabulary[word]["kind"] if word in vocabulary else None
        last = number == len(steps)
        if role is not None and (role == kind) != last:
            cure = f"end it with a {kind}" if last else f"nothing can follow the {kind} '{word}'"
            raise ConfigError(f"model name '{name}': {cure}")
    return steps


def parse(name: str, vocabulary: Vocabulary, kind: str = "classifier") -> BaseEstimator:
    """Make the estimator that a model name stands for."""
    text = _SEPARATORS.sub(" ", str(name)).strip()
    if (system := _system(name, text, vocabulary)) is not None:
        word, detector, classifier = system
        make = import_function(vocabulary[word]["function"])
        return make(parse(detector, vocabulary, "detector"), parse(classifier, vocabulary))
    estimators = [_make_step(name, step, vocabulary) for step in split(name, vocabulary, kind)]
    if len(estimators) == 1:
        return estimators[0]
    if any(hasattr(step, "fit_resample") for step in estimators):
        from imblearn.pipeline import make_pipeline
    else:
        from sklearn.pipeline import make_pipeline
    return make_pipeline(*estimators)


def _system(name: str, text: str, vocabulary: Vocabulary) -> tuple[str, str, str] | None:
    """Return the word for a system, the name of its detector and that of its classifier."""
    spelled = [
        (_SEPARATORS.sub(" ", spelling).lower(), word)
        for word, entry in vocabulary.items()
        if entry["kind"] == "system"
        for spelling in [word, *entry.get("aliases", [])]
    ]
    for spelling, word in spelled:
        if not text.lower().startswith(spelling + " "):
            continue
        stages = [stage.strip() for stage in text[len(spelling) :].split(" + ")]
        if len(stages) != 2 or not all(stages):
            example = vocabulary[word].get("example", word)
            raise ConfigError(
                f"model name '{name}': a system has a detector and a classifier; write it as in "
                f"'{example}'"
            )
        return word, stages[0], stages[1]
    return None


def _make_step(name: str, step: Step, vocabulary: Vocabulary) -> BaseEstimator:
    """Call the function of a word."""
    word, arguments, function = step
    parameters = vocabulary.get(word, {}).get("parameters", {})
    make = import_function(function)
    try:
        signature(make).bind(*arguments, **parameters)
    except TypeError as error:
        raise ConfigError(f"model name '{name}': {function} of '{word}': {error}") from None
    try:
        made = make(*arguments, **parameters)
    except ValueError as error:
        raise ConfigError(f"model name '{name}': {error}") from None
    if isinstance(made, type) or not (hasattr(made, "fit") and hasattr(made, "get_params")):
        what = "a class" if isinstance(made, type) else type(made).__name__
        raise ConfigError(
            f"model name '{name}': {function} of '{word}' returns {what}, not an estimator"
        )
    return made


def slug(name: str) -> str:
    """Return the part of a file name that stands for a model name."""
    return re.sub(r"[^a-z0-9._]+", "-", name.lower()).strip("-.")


def _spellings(vocabulary: Vocabulary, kind: str) -> list[tuple[str, str]]:
    """Return ``(spelling, word)`` of all mappings and words of `kind`, longest spelling first."""
    found = [
        (_SEPARATORS.sub(" ", spelling).lower(), word)
        for word, entry in vocabulary.items()
        if entry["kind"] in ("mapping", kind)
        for spelling in [word, *entry.get("aliases", [])]
    ]
    return sorted(found, key=lambda pair: (-len(pair[0]), pair[0]))


def _next_step(
    name: str, text: str, place: int, vocabulary: Vocabulary, spellings: list[tuple[str, str]]
) -> tuple[Step, int]:
    """Read one word of `text` at `place`, and return it with the place of the next."""
    if importable := _IMPORTABLE.match(text, place):
        return (importable[1], (), importable[1]), importable.end() + 1
    wrong: str | None = None
    for spelling, word in spellings:
        if not text.lower().startswith(spelling, place):
            continue
        entry = vocabulary[word]
        pattern = re.compile(entry.get("arguments", "") + r"(?= |$)", re.IGNORECASE)
        if match := pattern.match(text, place + len(spelling)):
            arguments = tuple(_argument(part) for part in _parts(match))
            return (word, arguments, entry["function"]), match.end() + 1
        wrong = wrong or word
    rest = text[place:]
    if wrong is not None and re.match(r"[a-z]*", rest.lower())[0] in [s for s, _ in spellings]:  # type: ignore[index]
        example = vocabulary[wrong].get("example", wrong)
        raise ConfigError(
            f"model name '{name}': '{rest}' has wrong arguments; write it as in '{example}'"
        )
    first = rest.split()[0]
    bare = re.sub(r"[\d.,]+$", "", first.lower())
    if bare in vocabulary:
        role = vocabulary[bare]["kind"]
        raise ConfigError(f"model name '{name}': '{bare}' is a {role} and cannot stand here")
    usable = {word for _, word in spellings}
    known = [word for word in vocabulary if word in usable]
    hint = nearest(bare, [spelling for spelling, _ in spellings])
    raise ConfigError(f"model name '{name}': unknown word '{first}'{hint or _known_words(known)}")


def _parts(match: re.Match[str]) -> list[str]:
    return [part for group in match.groups() if group for part in re.split(r"[ ,]+", group)]


def _argument(text: str) -> Argument:
    if text.isdigit():
        return int(text)
    return float(text) if text[0].isdigit() else text.lower()


def _known_words(words: list[str]) -> str:
    return f"; config/models.yaml has {', '.join(words)}"


def _examples(vocabulary: Vocabulary) -> str:
    return ", ".join(f"'{entry.get('example', word)}'" for word, entry in vocabulary.items())
