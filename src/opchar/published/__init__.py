"""Whether printed scores are possible, and under which protocol (``opchar check``)."""

from opchar.printed.reported_values import rates_possible as rates_possible
from opchar.printed.reported_values import t_range as t_range
from opchar.printed.reported_values import win_range as win_range
from opchar.printed.samples import object_counts as object_counts
from opchar.printed.samples import sample_with as sample_with
from opchar.printed.tables import Table as Table
from opchar.printed.tables import read_table as read_table
from opchar.published.checking import check as check
from opchar.published.inference import Inference as Inference
from opchar.published.inference import infer as infer
from opchar.published.protocol import Answer as Answer
from opchar.published.protocol import Protocol as Protocol
