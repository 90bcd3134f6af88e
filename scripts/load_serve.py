"""Measures `eigentree serve` on the loopback interface: throughput, latency, overload.

Usage: load_serve.py PROGRAM MODEL TEXT [SECONDS]

MODEL is a pipeline, TEXT has one sentence per line. Compares the processor time per sentence of a stream with that of
`eigentree tag` on the same lines, checks that both give the same words, tags and heads, then paces single sentences at half the
capacity that it finds, and last asks twice the capacity for SECONDS (120 unless given). Prints one JSON object.
"""

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

TICKS = os.sysconf("SC_CLK_TCK")


def cpu_seconds(pid):
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def resident_mb(pid):
    with open(f"/proc/{pid}/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def columns(conllu):
    """Form, tags, head and relation of every word."""
    rows = [line.split("\t") for line in conllu.splitlines() if re.match(r"\d+\t", line)]
    return [(row[1], row[3], row[4], row[6], row[7]) for row in rows]


def start(program, model):
    service = subprocess.Popen(
        [program, "serve", model, "--port", "0", "--log", "off"], stderr=subprocess.PIPE, text=True
    )
    for line in service.stderr:
        if found := re.search(r"listening on http://(\S+)", line):
            return service, found[1]
    sys.exit("the service did not start")


def ask(connection, line):
    """The status of one request, its answer and its time."""
    begun = time.perf_counter()
    connection.request("POST", "/api/v1/annotate", json.dumps({"text": line, "format": "conllu"}))
    answer = connection.getresponse()
    body = answer.read()
    return answer.status, body, time.perf_counter() - begun


def command_line(program, model, lines):
    """CPU seconds and answer of the command line, one paragraph per line."""
    run = subprocess.run(
        [program, "tag", model, "-", "--threads", "1", "--json", "--quiet"],
        input="\n\n".join(lines), capture_output=True, text=True, check=True,
    )
    output, summary = run.stdout.rstrip("\n").rsplit("\n", 1)
    return json.loads(summary)["cpu_seconds"], output


def stream(address, lines):
    """The answers of one long stream."""
    connection = http.client.HTTPConnection(address, timeout=600)
    body = "".join(json.dumps({"text": line}) + "\n" for line in lines)
    connection.request("POST", "/api/v1/annotate/stream?format=conllu", body.encode())
    text = connection.getresponse().read().decode()
    return "".join(json.loads(line)["output"] for line in text.splitlines())


def paced(address, lines, rate, seconds):
    """Times of single sentences at this rate."""
    connection = http.client.HTTPConnection(address, timeout=60)
    times, begun = [], time.perf_counter()
    for number in range(int(rate * seconds)):
        wait = begun + number / rate - time.perf_counter()
        if wait > 0:
            time.sleep(wait)
        status, _, took = ask(connection, lines[number % len(lines)])
        assert status == 200, status
        times.append(took)
    return sorted(times)


def overload(address, pid, batch, seconds):
    """Statuses and memory while 160 clients send batches without a pause; a batch takes a thread for a while."""
    statuses, expected, memory = {}, {}, []
    end = time.perf_counter() + seconds
    lock = threading.Lock()

    def client(number):
        connection = http.client.HTTPConnection(address, timeout=120)
        text = "\n\n".join(batch[number % len(batch)])
        while time.perf_counter() < end:
            status, body, _ = ask(connection, text)
            with lock:
                statuses[status] = statuses.get(status, 0) + 1
                if status == 200:
                    assert expected.setdefault(number % len(batch), body) == body, "answers differ"
            if status == 429:
                time.sleep(0.05)

    with ThreadPoolExecutor(160) as pool:
        jobs = [pool.submit(client, number) for number in range(160)]
        while time.perf_counter() < end:
            memory.append(resident_mb(pid))
            time.sleep(min(5, seconds / 10))
        for job in jobs:
            job.result()
    return statuses, memory


def main():
    program, model, text, *rest = sys.argv[1:]
    seconds = float(rest[0]) if rest else 120.0
    with open(text) as file:
        lines = [line.strip() for line in file if line.strip()]
    service, address = start(program, model)
    try:
        base, _ = command_line(program, model, lines[:1])
        cli, expected = command_line(program, model, lines)
        stream(address, lines[:50])
        before = cpu_seconds(service.pid)
        begun = time.perf_counter()
        got = stream(address, lines)
        wall = time.perf_counter() - begun
        served = cpu_seconds(service.pid) - before
        result = {
            "sentences": len(lines),
            "cli_cpu_seconds": round(cli - base, 3),
            "serve_cpu_seconds": round(served, 3),
            "throughput_of_cli": round((cli - base) / served, 3),
            "stream_sentences_per_second": round(len(lines) / wall),
            "same_as_cli": columns(got) == columns(expected),
        }
        connection = http.client.HTTPConnection(address, timeout=60)
        begun = time.perf_counter()
        for line in lines[:300]:
            ask(connection, line)
        capacity = 300 / (time.perf_counter() - begun)
        times = paced(address, lines, capacity / 2, 10)
        at = lambda share: round(1000 * times[int(share * (len(times) - 1))], 2)
        result |= {"requests_per_second": round(capacity), "p50_ms": at(0.5), "p99_ms": at(0.99)}
        batches = [lines[at : at + 200] for at in range(0, max(1, len(lines) - 200), 200)][:8] or [lines]
        statuses, memory = overload(address, service.pid, batches, seconds)
        result |= {"overload_seconds": seconds, "statuses": statuses, "memory_mb": [round(mb) for mb in memory]}
        print(json.dumps(result))
    finally:
        service.send_signal(signal.SIGTERM)
        service.wait(60)


if __name__ == "__main__":
    main()
