"""Keeps `eigentree serve` busy for a long time with valid, huge and broken requests, and watches its memory.

Usage: soak_serve.py PROGRAM MODEL TEXT MINUTES [CLIENTS] [PAUSE]

MODEL is a pipeline, TEXT has one sentence per line. CLIENTS (8) send requests of random kinds, PAUSE seconds (0) after each
answer. Every answer must be one that its kind allows; valid requests must get the answer that they got first, and at the end the
one that a new process gives. Prints a line per minute on standard error and one JSON object at the end.
"""

import collections
import http.client
import json
import random
import signal
import socket
import sys
import threading
import time

from load_serve import cpu_seconds, resident_mb, start

BUSY = {429, 503}
ANNOTATE = "/api/v1/annotate"


class Soak:
    def __init__(self, address, lines):
        self.address = address
        self.lines = lines
        self.lock = threading.Lock()
        self.statuses = collections.Counter()
        self.unexpected = []
        self.answers = {}
        self.compared = 0
        self.kinds = [
            (self.sentence, 40), (self.paragraph, 10), (self.batch, 5), (self.stream, 5), (self.corenlp, 5),
            (self.udpipe, 5), (self.pages, 5), (self.largest, 1), (self.endless_word, 2), (self.too_large, 2),
            (self.too_many, 2), (self.bad_json, 5), (self.bad_bytes, 5), (self.garbage, 5), (self.cut_off, 5),
            (self.vanishing, 3), (self.half_closed, 4), (self.large_head, 2), (self.training, 1),
        ]

    # Kinds of requests. Each returns its status, None where no answer is due.

    def sentence(self, dice):
        return self.valid(ANNOTATE, {"text": dice.choice(self.lines), "format": "conllu"}, {200})

    def paragraph(self, dice):
        at = dice.randrange(max(1, len(self.lines) - 20))
        return self.valid(ANNOTATE, {"text": "\n".join(self.lines[at : at + 20])}, {200})

    def batch(self, dice):
        at = dice.randrange(max(1, len(self.lines) - 30))
        return self.valid(ANNOTATE, {"texts": self.lines[at : at + 30], "format": "conllu"}, {200})

    def stream(self, dice):
        body = "".join(json.dumps({"text": dice.choice(self.lines)}) + "\n" for _ in range(20))
        return self.valid("/api/v1/annotate/stream?format=conllu", body, {200})

    def corenlp(self, dice):
        return self.valid("/?properties=%7B%22annotators%22%3A%22pos%22%7D", dice.choice(self.lines), {200})

    def udpipe(self, dice):
        return self.ask("/process", "tokenizer=&tagger=&parser=&data=a+cat+sleeps+.", {200},
                        {"Content-Type": "application/x-www-form-urlencoded"})[0]

    def pages(self, dice):
        path = dice.choice(["/", "/health", "/metrics", "/api/v1/models", "/api/v1/openapi.json", "/none", "/../x"])
        return self.ask(path, None, {200, 404, 400})[0]

    def largest(self, dice):
        text = "\n".join(dice.choices(self.lines, k=2000))[:200_000]
        return self.ask(ANNOTATE, json.dumps({"text": text}), {200})[0]

    def endless_word(self, dice):
        return self.ask(ANNOTATE, json.dumps({"text": dice.choice("aé猫(").ljust(50_000, "x")}), {200, 413, 422})[0]

    def too_large(self, dice):
        size = dice.choice([(1 << 20) + 1, 3 << 20, 9 << 20])
        return self.ask(ANNOTATE, json.dumps({"text": "a " * (size // 2 + 1)}), {413})[0]

    def too_many(self, dice):
        body = dice.choice([{"texts": ["a"] * 1001}, {"tokens": [["a"] * 1001]}])
        return self.ask(ANNOTATE, json.dumps(body), {413})[0]

    def bad_json(self, dice):
        body = dice.choice(["", "{", "[" * 100_000, '{"text": 5}', '{"text": "a", "path": "/etc/passwd"}', "nul\0l"])
        return self.ask(ANNOTATE, body, {400})[0]

    def bad_bytes(self, dice):
        return self.ask(ANNOTATE, b'{"text": "' + dice.randbytes(200).replace(b'"', b"") + b'\xff"}', {400})[0]

    def garbage(self, dice):
        return self.raw(dice.randbytes(dice.randrange(1, 3000)) + b"\r\n\r\n", {None, 400, 431})

    def cut_off(self, dice):
        return self.raw(head(5000) + b'{"text": "half of a', {None, 400, 408}, shut=socket.SHUT_WR)

    def vanishing(self, dice):
        body = json.dumps({"text": "\n".join(dice.choices(self.lines, k=200))}).encode()
        with self.connect() as connection:
            connection.sendall(head(len(body)) + body)
            time.sleep(dice.random() / 10)
        return None

    def half_closed(self, dice):
        body = json.dumps({"text": dice.choice(self.lines)}).encode()
        return self.raw(head(len(body)) + body, {200}, shut=socket.SHUT_WR)

    def large_head(self, dice):
        size = dice.choice([10_000, 200_000, 1_000_000])
        return self.raw(b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX: " + b"y" * size + b"\r\n\r\n",
                        {None, 200, 400, 431})

    def training(self, dice):
        body = {"family": "pcfg", "name": f"soak{dice.randrange(20)}", "sample": True, "options": {"trees": 50}}
        return self.ask("/api/v1/train", json.dumps(body), {200, 201, 202, 400, 409})[0]

    # How they are sent.

    def connect(self):
        host, port = self.address.rsplit(":", 1)
        return socket.create_connection((host, int(port)), timeout=120)

    def raw(self, data, allowed, shut=None):
        answer = b""
        try:
            with self.connect() as connection:
                connection.sendall(data)
                if shut is not None:
                    connection.shutdown(shut)
                while part := connection.recv(65536):
                    answer += part
        except (BrokenPipeError, ConnectionResetError):
            pass
        first = answer.split(b" ", 2)
        status = int(first[1]) if answer.startswith(b"HTTP/1.1 ") else None
        return self.check(status, answer, allowed)

    def ask(self, path, body, allowed, headers=None):
        body = body.encode() if isinstance(body, str) else body
        connection = http.client.HTTPConnection(self.address, timeout=120)
        try:
            connection.request("GET" if body is None else "POST", path, body, headers or {})
            answer = connection.getresponse()
            return self.check(answer.status, answer.read(), allowed), None
        except (BrokenPipeError, ConnectionResetError):
            # A body that is refused before all of it was sent; the answer may be lost with the rest.
            if 413 not in allowed:
                raise
            return "refused", None
        finally:
            connection.close()

    def valid(self, path, body, allowed):
        body = body if isinstance(body, str) else json.dumps(body)
        connection = http.client.HTTPConnection(self.address, timeout=120)
        connection.request("POST", path, body.encode())
        answer = connection.getresponse()
        status, data = answer.status, answer.read()
        connection.close()
        # A stream says on a line that its text was refused.
        if status == 200 and b'"error"' not in data:
            with self.lock:
                if len(self.answers) < 3000 or (path, body) in self.answers:
                    self.compared += (path, body) in self.answers
                    if self.answers.setdefault((path, body), data) != data:
                        self.unexpected.append(f"another answer to {body[:200]}")
        return self.check(status, data, allowed)

    def check(self, status, answer, allowed):
        if status not in allowed and status not in BUSY:
            with self.lock:
                self.unexpected.append(f"{status} instead of {sorted(map(str, allowed))}: {answer[:200]!r}")
        return status

    def client(self, number, end, pause):
        dice = random.Random(number)
        kinds, weights = zip(*self.kinds)
        while time.monotonic() < end:
            kind = dice.choices(kinds, weights)[0]
            try:
                told = f"{kind.__name__} {kind(dice)}"
            except OSError as error:
                told = f"{kind.__name__} {type(error).__name__}"
                with self.lock:
                    self.unexpected.append(told)
            except http.client.HTTPException as error:
                told = f"{kind.__name__} {type(error).__name__}"
                with self.lock:
                    self.unexpected.append(told)
            with self.lock:
                self.statuses[told] += 1
            time.sleep(pause)


def head(length):
    return (f"POST {ANNOTATE} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            f"Content-Length: {length}\r\n\r\n").encode()


def main():
    program, model, text, minutes, *rest = sys.argv[1:]
    clients, pause = int(rest[0]) if rest else 8, float(rest[1]) if len(rest) > 1 else 0.0
    with open(text) as file:
        lines = [line.strip() for line in file if line.strip()][:1000]
    service, address = start(program, model)
    soak, begun, memory = Soak(address, lines), time.monotonic(), []
    end = begun + 60 * float(minutes)
    threads = [threading.Thread(target=soak.client, args=(number, end, pause)) for number in range(clients)]
    try:
        for thread in threads:
            thread.start()
        while time.monotonic() < end and service.poll() is None:
            time.sleep(min(60, max(0.1, end - time.monotonic())))
            memory.append(round(resident_mb(service.pid), 1))
            asked = sum(soak.statuses.values())
            print(f"{(time.monotonic() - begun) / 60:.0f} min: {asked} requests, {memory[-1]} MB, "
                  f"{len(soak.unexpected)} unexpected", file=sys.stderr, flush=True)
        for thread in threads:
            thread.join()
        used = cpu_seconds(service.pid)
    finally:
        service.send_signal(signal.SIGTERM)
        code = service.wait(90)
    fresh, address = start(program, model)
    differing = 0
    try:
        for (path, body), data in list(soak.answers.items()):
            connection = http.client.HTTPConnection(address, timeout=120)
            connection.request("POST", path, body.encode())
            differing += connection.getresponse().read() != data
            connection.close()
    finally:
        fresh.send_signal(signal.SIGTERM)
        fresh.wait(90)
    print(json.dumps({
        "minutes": round((time.monotonic() - begun) / 60, 1), "requests": sum(soak.statuses.values()),
        "server_cpu_seconds": used, "exit_code": code, "memory_mb": memory, "statuses": dict(sorted(soak.statuses.items())),
        "compared_with_the_first_answer": soak.compared, "compared_with_a_new_process": len(soak.answers),
        "differing": differing, "unexpected": len(soak.unexpected), "first_unexpected": soak.unexpected[:20],
    }))
    sys.exit(1 if soak.unexpected or differing or code != 0 else 0)


if __name__ == "__main__":
    main()
