"""Builds that misbehave in every way a process can, one by its name: ``bad.py WAY``.

Each plays on rightly, as an echo of what it was asked, until it is asked for step 2.
"""

import itertools
import json
import os
import subprocess
import sys
import time


def write(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def main(way):
    for line in sys.stdin:
        request = json.loads(line)
        answer = json.dumps({key: request[key] for key in ("play", "step") if key in request})
        if request.get("step") != 2 or way == "last-word":
            write(answer + "\n")
        elif way == "hangs":
            subprocess.Popen(["sleep", "60"])  # a child that must not outlive it
            time.sleep(60)
        elif way == "leaves":
            # a child of a child, in a session of its own
            subprocess.Popen(["setsid", "sh", "-c", "setsid sleep 61 & sleep 0.2; exit"])
            time.sleep(60)
        elif way == "hangs-half":
            write(answer[:8])
            time.sleep(60)
        elif way == "dies":
            sys.stderr.write("first\nout of memory\n\x1b[31m")
            sys.exit(3)
        elif way == "dies-half":
            write(answer[:8])
            os.kill(os.getpid(), 9)
        elif way == "rubbish":
            write("Segmentation fault\n")
        elif way == "binary":
            sys.stdout.buffer.write(b"\xff\xfe\x00\x01\n")
            sys.stdout.flush()
        elif way == "list":
            write("[1, 2]\n")
        elif way == "nested":
            write("[" * 100_000 + "\n")
        elif way == "twice":
            write(answer + "\n" + answer + "\n")
        elif way == "late":
            write(answer + "\n")
            time.sleep(0.3)
            write(answer + "\n")
        elif way == "floods-a-line":
            while True:
                write("x" * 65_536)
        elif way == "floods-lines":
            for _ in itertools.count():
                write(answer + "\n")
        elif way == "closes":
            os.close(1)
            time.sleep(60)
        elif way == "deaf":
            write(answer + "\n")
            time.sleep(60)
        elif way == "loud":
            sys.stderr.write("y" * 3_000_000)
            write(answer + "\n")
    if way == "last-word":
        write(answer + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
