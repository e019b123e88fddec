"""The check of printed tables: what digits and headings mean, and whether rows are possible."""

from opchar.printed.certificates import Certificate as Certificate
from opchar.printed.certificates import verify as verify
from opchar.printed.checking import check as check
from opchar.printed.headings import heading_meaning as heading_meaning
from opchar.printed.inference import Inference as Inference
from opchar.printed.inference import SharedSizes as SharedSizes
from opchar.printed.inference import infer as infer
from opchar.printed.inference import shared_test_set as shared_test_set
from opchar.printed.numbers import Printed as Printed
from opchar.printed.numbers import read_number as read_number
from opchar.printed.protocol import Answer as Answer
from opchar.printed.protocol import Protocol as Protocol
from opchar.printed.reported_values import object_counts as object_counts
from opchar.printed.reported_values import rates_possible as rates_possible
from opchar.printed.reported_values import sample_with as sample_with
from opchar.printed.reported_values import t_range as t_range
from opchar.printed.reported_values import win_range as win_range
from opchar.printed.tables import Table as Table
from opchar.printed.tables import read_table as read_table
