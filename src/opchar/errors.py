"""The errors a person can mend: one line that names the place and the cure."""


class OpcharError(Exception):
    """An error whose message is the whole report: what is wrong, where, and what to do."""


class ConfigError(OpcharError):
    """A configuration file, option or name is wrong."""


class DataError(OpcharError):
    """A data file is missing, damaged or not what the registry says."""


class ScoresError(OpcharError):
    """A score table breaks its contract."""


def nearest(word: str, known: list[str]) -> str:
    """Return ``" (did you mean 'x'?)"`` for the closest of `known`, or an empty string.

    Parameters
    ----------
    word : str
        What was written.
    known : list of str
        What could have been meant.

    Returns
    -------
    str
        The hint, to be appended to an error message.
    """
    from difflib import get_close_matches

    found = get_close_matches(word, known, n=1, cutoff=0.6)
    return f" (did you mean '{found[0]}'?)" if found else ""
