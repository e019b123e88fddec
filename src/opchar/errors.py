"""The errors a person can mend: one line that names the place and what to do."""

import errno

LONGEST = 600


class OpcharError(Exception):
    """An error whose message is the whole report: what is wrong, where, and what to do.

    The message is one line, whatever a file has put into it. Line breaks and other control
    characters are shown by their escapes. A message of more than 600 letters loses its middle.
    """

    longest = LONGEST

    def __init__(self, message: str = "") -> None:
        super().__init__(one_line(message, self.longest))


class ConfigError(OpcharError):
    """A configuration file, option or name is wrong."""


class DataError(OpcharError):
    """A data file is missing, damaged or not what the registry says."""


class MissingDataError(DataError):
    """Data sets are missing; the message lists all of them, however many."""

    longest = 100 * LONGEST


class ScoresError(OpcharError):
    """A score table breaks its contract."""


def one_line(text: str, longest: int = LONGEST) -> str:
    r"""Return a text as one line that a terminal can show."""
    shown = "".join(
        letter if letter.isprintable() else letter.encode("unicode_escape").decode("ascii")
        for letter in text
    )
    return shown if len(shown) <= longest else f"{shown[: longest - 205]} ... {shown[-200:]}"


def first_line(error: Exception) -> str:
    r"""Return the first line of what an error of another library says, or else its kind."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


# Errors of the system that the place has and not the program.
_OF_THE_PLACE = {
    *(errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO),
    *(errno.ENOTDIR, errno.EISDIR, errno.EEXIST, errno.ENAMETOOLONG, errno.EMFILE, errno.ENFILE),
    *(errno.EBUSY, errno.ETXTBSY, errno.EFBIG, errno.ELOOP, errno.ESTALE),
}


def of_the_machine(error: Exception) -> str:
    """Return what to tell a person of an error that machine or place has, not the program."""
    if isinstance(error, MemoryError):
        return "not enough memory; give more, or run fewer jobs side by side"
    if not isinstance(error, OSError) or error.errno not in _OF_THE_PLACE:
        return ""
    place = f"{error.filename}: " if error.filename else ""
    return one_line(f"{place}{error.strerror}; nothing is lost, mend this and run again")


def nearest(word: str, known: list[str]) -> str:
    """Return ``" (did you mean 'x'?)"`` for the closest of `known`, or an empty string."""
    from difflib import get_close_matches

    found = get_close_matches(word, known, n=1, cutoff=0.6)
    return f" (did you mean '{found[0]}'?)" if found else ""
