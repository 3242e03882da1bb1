"""Load on `kenga serve`: python3 benches/serve/load.py target/release/kenga [clients] [solves a second] [seconds] [long]

Starts a server, has some clients solve the original 6x6 at a steady rate, each at its own times, and prints how long they
waited. Every answer is checked. `long` further clients each ask for a million solutions of a 25x25 meanwhile.
"""

import json
import http.client
import pathlib
import subprocess
import sys
import threading
import time

kenga, *numbers = sys.argv[1:]
clients, rate, seconds, long = [int(number) for number in numbers] + [50, 200, 10, 0][len(numbers):]
puzzle = pathlib.Path(__file__).parents[2].joinpath("puzzles/original/6x6.txt").read_text()
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


square = [kenga, "generate", "--kind", "quasigroup", "--size", "25", "--holes", "0.6"]
endless = json.dumps({"puzzle": json.loads(subprocess.check_output(square)), "count": 1_000_000})
begun = [begin() for _ in range(long)]
start = time.monotonic() + 0.5
threads = [threading.Thread(target=client, args=(number,)) for number in range(clients)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
elapsed = time.monotonic() - start
for connection in begun:
    connection.close()
server.terminate()
server.wait()
waits.sort()
at = lambda share: 1e3 * waits[min(len(waits) - 1, int(share * len(waits)))]
print(f"{len(waits)} solves by {clients} clients in {elapsed:.1f} s, {len(waits) / elapsed:.0f} a second, {len(wrong)} wrong")
print(f"median {at(0.5):.1f} ms, 95 % {at(0.95):.1f} ms, 99 % {at(0.99):.1f} ms, longest {at(1):.1f} ms")
sys.exit(bool(wrong))
