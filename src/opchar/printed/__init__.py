"""Printed numbers and tables: the meaning of their digits, cells and headings."""

from opchar.printed.headings import heading_meaning as heading_meaning
from opchar.printed.numbers import Printed as Printed
from opchar.printed.numbers import read_number as read_number
from opchar.printed.tables import Table as Table
from opchar.printed.tables import read_table as read_table
