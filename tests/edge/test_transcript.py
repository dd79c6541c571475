"""Reading a log from an offset: whole lines, long ones, what is no file."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from curator.edge.transcript import LONGEST, Log

NEVER = float("inf")


def lines(path: Path, offset: int = 0, *, inside: bool = False, most: int = 1 << 30) -> tuple[list[bytes], Log]:
    log = Log(str(path), offset, inside=inside)
    found = [line for _, line in log.lines(most, NEVER)]
    log.close()
    return found, log


def test_whole_lines_are_read_and_half_a_line_is_left_for_the_next_time(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b'{"a":1}\n\n{"b":2}\n{"c":')
    found, log = lines(path)
    assert found == [b'{"a":1}', b"", b'{"b":2}']
    assert (log.offset, log.ended) == (17, True)
    path.write_bytes(path.read_bytes() + b"3}\n")
    assert lines(path, 17)[0] == [b'{"c":3}']


def test_a_last_line_without_its_newline_counts_when_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b'{"a":1}\n{"b":{}}')
    found, log = lines(path)
    assert found == [b'{"a":1}', b'{"b":{}}']
    assert log.offset == path.stat().st_size


def test_offsets_are_those_of_the_lines(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"".join(b'{"n":%d}\n' % number for number in range(100_000)))
    data, log = path.read_bytes(), Log(str(path))
    for offset, line in log.lines(1 << 30, NEVER):
        assert data[offset : offset + len(line) + 1] == line + b"\n"
    log.close()


def test_at_most_so_many_bytes_are_read_and_nothing_is_lost_in_between(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"".join(b'{"n":%d}\n' % number for number in range(300_000)))
    found: list[bytes] = []
    offset = 0
    for _ in range(100):
        more, log = lines(path, offset, most=1_200_000)
        assert log.offset - offset <= 1_200_000
        found, offset = found + more, log.offset
        if log.ended:
            break
    assert b"\n".join(found) + b"\n" == path.read_bytes()


def test_a_line_of_more_than_a_megabyte_is_passed_over_and_never_read_twice(tmp_path: Path) -> None:
    path = tmp_path / "log"
    long = b'{"x":"' + b"x" * (5 << 20) + b'"}'
    path.write_bytes(b'{"a":1}\n' + long + b'\n{"b":2}\n')
    offset, inside, found, skipped = 0, False, [], 0
    for _ in range(20):
        log = Log(str(path), offset, inside=inside)
        found += [line for _, line in log.lines(2 << 20, NEVER)]
        assert log.offset > offset or log.ended
        offset, inside, skipped = log.offset, log.inside, skipped + log.skipped
        log.close()
        if log.ended:
            break
    assert (found, skipped) == ([b'{"a":1}', b'{"b":2}'], 1)


def test_the_rest_of_a_long_line_is_no_line_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"x" * (LONGEST + 1) + b'\n{"a":1}\n')
    assert lines(path, LONGEST, inside=True)[0] == [b'{"a":1}']


def test_a_line_of_a_hundred_megabytes_is_not_held(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with path.open("wb") as writer:
        for _ in range(100):
            writer.write(b"x" * (1 << 20))
        writer.write(b'\n{"a":1}\n')
    code = (
        "import resource, sys; from tests.edge.test_transcript import lines; from pathlib import Path\n"
        "before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "assert lines(Path(sys.argv[1]))[0] == [b'{\"a\":1}']\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], check=True, capture_output=True)
    scale = 1 << 20 if sys.platform == "darwin" else 1 << 10
    assert int(done.stdout) / scale < 20


def test_a_log_that_became_shorter_is_read_from_its_start(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b'{"a":1}\n')
    assert lines(path, 500, inside=True)[0] == [b'{"a":1}']


@pytest.mark.parametrize("kind", ["fifo", "folder", "device", "nothing", "nul", "link to nothing"])
def test_what_is_no_regular_file_is_an_error_at_once(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "log"
    if kind == "fifo":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    elif kind == "link to nothing":
        path.symlink_to(tmp_path / "gone")
    name = {"device": "/dev/zero", "nul": "a\0b"}.get(kind, str(path))
    begun = time.monotonic()
    with pytest.raises(OSError):
        Log(name)
    assert time.monotonic() - begun < 1


def test_time_that_is_over_ends_the_reading_between_two_lines(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b'{"a":1}\n' * 1000)
    log = Log(str(path))
    begun = time.monotonic()
    read = 0
    for _ in log.lines(1 << 30, begun + 0.05):
        read += 1
        time.sleep(0.02)
    assert read < 10
    assert log.offset == 8 * read
    assert not log.ended
    log.close()
