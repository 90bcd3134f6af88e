"""Counting, annotating and whole experiments on Apache Spark: `pip install eigentree[spark]`.

Spark divides, schedules, shuffles and tries again; the library counts and annotates inside the partitions. The package
must be installed where the executors run.
"""

from .annotating import annotate
from .counting import count, count_tables, read_files, read_lines
from .jobs import local_file, map_jobs

__all__ = ["annotate", "count", "count_tables", "local_file", "map_jobs", "read_files", "read_lines"]
