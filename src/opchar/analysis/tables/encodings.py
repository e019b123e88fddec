"""Texts in the encodings that spreadsheets and statistical programs write."""

from __future__ import annotations

import codecs
import re

_MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
# What no text of Western languages has: other alphabets, and codes of DOS, Mac or East Asia.
_OTHER = re.compile(
    r"[\x80-\x9f\xd0\xde\xf0\xfeŒœŠšŽžŸƒ]"  # other letters elsewhere
    r"|[À-ÿ]{3}|(?<![A-Za-zÀ-ÿ])[À-ÿ]{2}(?![A-Za-z])"  # no word has so many accents
    r"|(?<=[A-Za-zÀ-ÿ])[^\x00-\x7f\xa0À-ÿ’](?=[A-Za-zÀ-ÿ])"  # a sign within a word
    r"|(?<=[a-zß-ÿ])[À-Þ]"  # a capital within one
)
WESTERN = "Windows-1252"


def text_of(content: bytes) -> tuple[str, str | None]:
    """Return the text of a file, and its encoding where that had to be guessed.

    Separators and digits are the same in all encodings of one byte, so that only accents can be
    wrong. UTF-16 without a mark shows by its zeros.

    A `UnicodeError` says that no encoding is likely.
    """
    for mark, name in _MARKS.items():
        if content.startswith(mark):
            return content.decode(name), None
    for name, zeros, others in (("utf-16-le", 1, 0), ("utf-16-be", 0, 1)):
        often = len(content) % 2 == 0 and content[zeros::2].count(0) > len(content) / 4
        if often and not content[others::2].count(0):
            return content.decode(name), "UTF-16"
    try:
        return content.decode("utf-8"), None
    except UnicodeError:
        text = content.decode("cp1252")
        if _OTHER.search(text):
            raise
        return text, WESTERN
