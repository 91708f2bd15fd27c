"""What Python offers and this place cannot do says so, and names the way."""

import builtins
import os
import posix
import socket
import subprocess
import threading
import zoneinfo
import zoneinfo._common


def refuse(what, error=OSError):
    def refused(*_args, **_kwargs):
        raise error(f"{what}; use run_command([...]) instead")

    return refused


no_process = refuse("a program cannot start processes")
no_network = refuse("a program has no network")

for name in ("system", "popen", "fork", "forkpty", "posix_spawn", "posix_spawnp"):
    setattr(os, name, no_process)
    setattr(posix, name, no_process)
for name in ("execv", "execve", "execvp", "execvpe", "spawnv", "spawnve", "spawnvp", "spawnvpe"):
    setattr(os, name, no_process)

subprocess.Popen.__init__ = no_process
subprocess.Popen.__del__ = lambda _popen: None

threading.Thread.start = refuse("a program cannot start threads", RuntimeError)

builtins.input = refuse("nobody types into a program", EOFError)

for name in ("connect", "connect_ex", "bind"):
    setattr(socket.socket, name, no_network)
for name in ("getaddrinfo", "gethostbyname", "create_connection"):
    setattr(socket, name, no_network)


def no_time_zones(key):
    raise zoneinfo.ZoneInfoNotFoundError(
        f"no time zone data here for {key!r}; use datetime.timezone, or run_command([...]) with date"
    )


zoneinfo._common.load_tzdata = no_time_zones
