"""A Spark cluster on this machine: a driver and two executors, each a process of its own."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

MASTER = "local-cluster[2,1,2048]"


@contextmanager
def session(master: str = MASTER, **settings: str) -> Iterator[Any]:
    """A Spark session that leaves nothing behind: its processes, logs and scratch files end with it."""
    import pyspark
    from pyspark.sql import SparkSession

    folder = tempfile.mkdtemp(prefix="eigentree-cluster-")
    # Workers write below SPARK_HOME, so the installed package is seen through a folder of links.
    home = Path(folder, "home")
    home.mkdir()
    for item in Path(pyspark.__file__).parent.iterdir():
        if item.name != "work":
            (home / item.name).symlink_to(item)
    changed = {
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_LOCAL_DIRS": str(Path(folder, "local")),
        "PYSPARK_PYTHON": sys.executable,
    }
    before = {name: os.environ.get(name) for name in changed}
    os.environ.update(changed)
    values = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.executor.memory": "1g",
        "spark.driver.memory": "1g",
        "spark.sql.shuffle.partitions": "4",
        "spark.sql.warehouse.dir": str(Path(folder, "warehouse")),
        "spark.log.level": "OFF",
        **{name.replace("_", "."): value for name, value in settings.items()},
    }
    builder = SparkSession.builder.master(master).appName("eigentree")
    for name, value in values.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    try:
        yield spark
    finally:
        spark.stop()
        # The Java process ends with its standard input.
        gateway = type(spark.sparkContext)._gateway
        if gateway is not None:
            process = gateway.proc
            gateway.shutdown()
            process.stdin.close()
            process.wait(30)
            type(spark.sparkContext)._gateway = None
            type(spark.sparkContext)._jvm = None
        for name, old in before.items():
            if old is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = old
        shutil.rmtree(folder, ignore_errors=True)


def executors(spark: Any) -> list[int]:
    """The process ids of the executors of this session, and of no other."""
    mark = spark.sparkContext.applicationId.encode()
    found = []
    for entry in Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0") if entry.name.isdigit() else []
        except OSError:
            continue
        if b"org.apache.spark.executor.CoarseGrainedExecutorBackend" in words and mark in words:
            found.append(int(entry.name))
    return sorted(found)


def with_a_killed_executor(spark: Any, work: Callable[[], Any], tasks: int = 2) -> Any:
    """Runs `work`, and kills an executor when `tasks` tasks of it have ended and others are running."""
    tracker = spark.sparkContext.statusTracker()
    done = threading.Event()
    killed: list[int] = []

    def kill() -> None:
        while not done.wait(0.05):
            for stage in tracker.getActiveStageIds():
                info = tracker.getStageInfo(stage)
                if info is not None and info.numCompletedTasks >= tasks and info.numActiveTasks > 0:
                    killed.append(executors(spark)[0])
                    os.kill(killed[0], signal.SIGKILL)
                    return

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        result = work()
    finally:
        done.set()
        thread.join()
    assert len(killed) == 1, "the work ended before an executor could be killed"
    deadline = time.monotonic() + 30
    while killed[0] in executors(spark):
        assert time.monotonic() < deadline, "the executor did not die"
        time.sleep(0.1)
    return result
