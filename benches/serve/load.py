"""Load on `kenga serve`: load.py target/release/kenga [clients] [solves a second] [seconds] [long] [streams] [speed]

Starts a server, has some clients solve the original 6x6 at a steady rate, each at its own times, and prints how long they
waited. Every answer is checked. `long` further clients each ask for a million solutions of a 25x25 meanwhile. `streams`
are open, each of one of four runs of configs/ga.toml, played with `speed` generations a second; each must be alive at
the end, and have told of its run in order.
"""

import json
import http.client
import pathlib
import re
import selectors
import subprocess
import sys
import threading
import time

kenga, *numbers = sys.argv[1:]
defaults = [50, 200, 10, 0, 0, 10]
clients, rate, seconds, long, streams, speed = [int(number) for number in numbers] + defaults[len(numbers):]
root = pathlib.Path(__file__).parents[2]
puzzle = root.joinpath("puzzles/original/6x6.txt").read_text()
body = json.dumps({"puzzle": puzzle})
server = subprocess.Popen([kenga, "serve", "--port", "0"], stdout=subprocess.PIPE, text=True)
address, token = server.stdout.readline().strip().removeprefix("http://").split("/?token=")
headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
waits, wrong = [], []


def client(number):
    connection = http.client.HTTPConnection(address)
    for turn in range(rate * seconds // clients):
        due = start + (turn * clients + number) / rate
        time.sleep(max(0, due - time.monotonic()))
        # From the time when it is due: a server that falls behind shows.
        connection.request("POST", "/api/v1/solve", body, headers)
        answer = connection.getresponse()
        text = answer.read()
        waits.append(time.monotonic() - due)
        if answer.status != 200 or json.loads(text)["status"] != "unique":
            wrong.append(text)


def begin():
    """A request whose answer nobody waits for."""
    connection = http.client.HTTPConnection(address)
    connection.request("POST", "/api/v1/solve", endless, headers)
    return connection


def asked(endpoint, order):
    """The answer to a request that is quick."""
    connection = http.client.HTTPConnection(address)
    connection.request("POST", f"/api/v1/{endpoint}", json.dumps(order), headers)
    return json.loads(connection.getresponse().read())


class Reader(threading.Thread):
    """One thread reads all streams, so that Python's threads take little of the machine."""

    def __init__(self):
        super().__init__()
        self.selector, self.goes_on, self.events, self.faults = selectors.DefaultSelector(), True, 0, 0
        config = root.joinpath("configs/ga.toml").read_text()
        plays = [asked("play", {"config": config, "puzzle": puzzle, "run": run})["play"] for run in range(min(streams, 4))]
        for play in plays:
            asked("order", {"play": play, "order": "speed", "value": speed})
            asked("order", {"play": play, "order": "play"})
        self.open = []
        for number in range(streams):
            connection = http.client.HTTPConnection(address)
            query = f"/api/v1/frames?play={plays[number % len(plays)]}"
            connection.request("GET", query, headers=headers | {"Accept": "text/event-stream"})
            # The bytes are read from the socket as they come.
            state = {"socket": connection.sock, "events": 0, "last": -1, "rest": b""}
            self.open.append(state)
            self.selector.register(connection.sock, selectors.EVENT_READ, state)

    def run(self):
        while self.goes_on:
            for key, _ in self.selector.select(0.1):
                self.take(key.data, key.fileobj)

    def take(self, state, socket):
        data = socket.recv(1 << 20)
        self.faults += not data
        if not data:
            self.selector.unregister(socket)
        text = state["rest"] + data
        *whole, state["rest"] = text.split(b"\n\n")
        for event in whole:
            state["events"] += b"event: view" in event
            generation = re.search(rb'"frame":\{"generation":(\d+)', event)
            if generation:
                self.faults += int(generation[1]) < state["last"]
                state["last"] = int(generation[1])

    def end(self):
        self.goes_on = False
        self.join()
        self.faults += sum(state["events"] < 2 for state in self.open)
        events = sum(state["events"] for state in self.open)
        print(f"{streams} streams: {events} events, generation {min((state['last'] for state in self.open), default=0)} or more, {self.faults} faults")


square = [kenga, "generate", "--kind", "quasigroup", "--size", "25", "--holes", "0.6"]
endless = json.dumps({"puzzle": json.loads(subprocess.check_output(square)), "count": 1_000_000})
begun = [begin() for _ in range(long)]
reader = Reader()
reader.start()
start = time.monotonic() + 0.5
threads = [threading.Thread(target=client, args=(number,)) for number in range(clients)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
elapsed = time.monotonic() - start
reader.end()
for connection in begun:
    connection.close()
server.terminate()
server.wait()
waits.sort()
at = lambda share: 1e3 * waits[min(len(waits) - 1, int(share * len(waits)))]
print(f"{len(waits)} solves by {clients} clients in {elapsed:.1f} s, {len(waits) / elapsed:.0f} a second, {len(wrong)} wrong")
print(f"median {at(0.5):.1f} ms, 95 % {at(0.95):.1f} ms, 99 % {at(0.99):.1f} ms, longest {at(1):.1f} ms")
sys.exit(bool(wrong or reader.faults))
