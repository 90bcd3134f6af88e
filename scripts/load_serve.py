"""Measures `eigentree serve` on the loopback interface: throughput, latency, overload.

Usage: load_serve.py PROGRAM MODEL TEXT [SECONDS]

MODEL is a pipeline, TEXT has one sentence per line. Compares the throughput of a stream with that of `eigentree tag` on the same
lines, by the clock and by processor time, and checks that both give the same words, tags and heads. Then asks for single
sentences of about 20 words at half the rate that clients reach who ask without a pause, and tells how long answers took, counted
from when each was due. Last, 160 clients send texts of 200 sentences without a pause for SECONDS (120 unless given), more than
twice what threads and queue hold. Prints one JSON object.
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
    """CPU seconds, seconds and answer of the command line, one paragraph per line."""
    begun = time.perf_counter()
    run = subprocess.run(
        [program, "tag", model, "-", "--json", "--quiet"],
        input="\n\n".join(lines), capture_output=True, text=True, check=True,
    )
    wall = time.perf_counter() - begun
    return json.loads(run.stderr.splitlines()[-1])["cpu_seconds"], wall, run.stdout


def stream(address, lines):
    """The answers of one long stream."""
    connection = http.client.HTTPConnection(address, timeout=600)
    body = "".join(json.dumps({"text": line}) + "\n" for line in lines)
    connection.request("POST", "/api/v1/annotate/stream?format=conllu", body.encode())
    text = connection.getresponse().read().decode()
    return "".join(json.loads(line)["output"] for line in text.splitlines())


def capacity(address, lines, seconds, clients=4):
    """Requests per second of clients that never pause."""
    end = time.perf_counter() + seconds

    def client(number):
        connection, asked = http.client.HTTPConnection(address, timeout=60), 0
        while time.perf_counter() < end:
            status, _, _ = ask(connection, lines[(number + clients * asked) % len(lines)])
            assert status == 200, status
            asked += 1
        return asked

    with ThreadPoolExecutor(clients) as pool:
        return sum(pool.map(client, range(clients))) / seconds


def paced(address, lines, rate, seconds, clients=8):
    """Times of single sentences at this rate, each from the moment when it was due."""
    begun = time.perf_counter() + 0.1

    def client(number):
        connection, times = http.client.HTTPConnection(address, timeout=60), []
        for at in range(number, int(rate * seconds), clients):
            due = begun + at / rate
            time.sleep(max(0, due - time.perf_counter()))
            status, _, _ = ask(connection, lines[at % len(lines)])
            assert status == 200, status
            times.append(time.perf_counter() - due)
        return times

    with ThreadPoolExecutor(clients) as pool:
        return sorted(time for times in pool.map(client, range(clients)) for time in times)


def overload(address, pid, batch, seconds):
    """Statuses and memory while 160 clients send batches without a pause; a batch takes a thread for a while."""
    # The clients must not take the cores from the service.
    os.nice(10)
    statuses, expected, memory = {}, {}, []
    end = time.perf_counter() + seconds
    lock = threading.Lock()

    def client(number):
        connection = http.client.HTTPConnection(address, timeout=120)
        text = "\n\n".join(batch[number % len(batch)])
        answered = time.perf_counter()
        while time.perf_counter() < end:
            try:
                status, body, _ = ask(connection, text)
            except (BrokenPipeError, ConnectionResetError, http.client.RemoteDisconnected):
                # The service closes connections that are idle for 15 s, which happens to clients that get no processor.
                assert time.perf_counter() - answered > 14, "the service closed a connection in use"
                connection.close()
                continue
            answered = time.perf_counter()
            name = str(status) if status in (200, 429) else f"{status} {json.loads(body)['error']['code']}"
            with lock:
                statuses[name] = statuses.get(name, 0) + 1
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
        base, base_wall, _ = command_line(program, model, lines[:1])
        cli, cli_wall, expected = command_line(program, model, lines)
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
            "cli_seconds": round(cli_wall - base_wall, 3),
            "serve_seconds": round(wall, 3),
            "throughput_of_cli_by_cpu": round((cli - base) / served, 3),
            "throughput_of_cli_by_clock": round((cli_wall - base_wall) / wall, 3),
            "stream_sentences_per_second": round(len(lines) / wall),
            "same_as_cli": columns(got) == columns(expected),
        }
        usual = [line for line in lines if 19 <= len(line.split()) <= 21] or lines
        reached = capacity(address, usual, 5)
        times = paced(address, usual, reached / 2, 10)
        at = lambda share: round(1000 * times[int(share * (len(times) - 1))], 2)
        result |= {"requests_per_second": round(reached), "p50_ms": at(0.5), "p99_ms": at(0.99), "max_ms": at(1)}
        batches = [lines[at : at + 200] for at in range(0, max(1, len(lines) - 200), 200)][:8] or [lines]
        statuses, memory = overload(address, service.pid, batches, seconds)
        result |= {"overload_seconds": seconds, "statuses": statuses, "memory_mb": [round(mb) for mb in memory]}
        print(json.dumps(result))
    finally:
        service.send_signal(signal.SIGTERM)
        service.wait(60)


if __name__ == "__main__":
    main()
