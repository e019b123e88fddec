"""Printed numbers and tables: what their digits, cells and headings say."""

from opchar.printed.headings import meaning as meaning
from opchar.printed.numbers import Printed as Printed
from opchar.printed.numbers import read_number as read_number
from opchar.printed.tables import Table as Table
from opchar.printed.tables import read_table as read_table
