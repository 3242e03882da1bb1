"""The API of `kenga serve` against its own description: python tests/python/serve.py target/release/kenga

schemathesis (PyPI, beside this Python) sends what the description allows and what it forbids, and checks every answer against it. An order
for puzzles may take half a minute: what is random stays away from it. Experiments that it might start are written to a folder that is removed.
"""

import pathlib
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).parent.resolve()
folder = tempfile.TemporaryDirectory()
server = subprocess.Popen([pathlib.Path(sys.argv[1]).resolve(), "serve", "--port", "0"], stdout=subprocess.PIPE, text=True, cwd=folder.name)
address, token = server.stdout.readline().strip().split("/?token=")
command = [pathlib.Path(sys.executable).parent / "schemathesis", "--config-file", here / "schemathesis.toml", "run"]
command += [f"{address}/api/v1/openapi.json", "-H", f"Authorization: Bearer {token}"]
try:
    ended = [
        subprocess.run(command + ["--phases", "coverage"]).returncode,
        subprocess.run(command + ["--phases", "fuzzing", "-n", "20", "--exclude-path-regex", "generate"]).returncode,
    ]
finally:
    server.terminate()
    server.wait()
    folder.cleanup()
sys.exit(any(ended))
