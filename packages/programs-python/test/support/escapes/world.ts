import type { Escape } from "./escape.ts"

/** Routes to processes, files and the network, and what lies about in the interpreter. */
export const worldEscapes: readonly Escape[] = [
  // Processes
  {
    name: "os.system",
    source: "import os\nreturn os.system('id > {file}')",
    blocked: /OSError .*run_command/,
  },
  {
    name: "posix.system",
    source: "import posix\nreturn posix.system('id > {file}')",
    blocked: /OSError .*run_command/,
  },
  {
    name: "posix.system of a fresh import",
    source: `import importlib
sys.modules.pop("posix", None)
status = importlib.import_module("posix").system("id > {file}")
if status:
    raise OSError(f"status {status}")
return status`,
    blocked: /OSError status 32512/,
  },
  {
    name: "system of the C library",
    source: `import ctypes
status = ctypes.CDLL(None).system(b"id > {file}")
if status:
    raise OSError(f"status {status}")
return status`,
    blocked: /OSError status 32512/,
  },
  {
    name: "os.popen",
    source: "import os\nreturn os.popen('id')",
    blocked: /OSError .*run_command/,
  },
  { name: "os.fork", source: "import os\nreturn os.fork()", blocked: /OSError .*run_command/ },
  {
    name: "os.execv",
    source: "import os\nreturn os.execv('/bin/sh', ['sh'])",
    blocked: /OSError .*run_command/,
  },
  {
    name: "subprocess.run",
    source: "import subprocess\nreturn subprocess.run(['id'])",
    blocked: /OSError .*run_command/,
  },
  {
    name: "_posixsubprocess",
    source: `import _posixsubprocess
return _posixsubprocess.fork_exec([b"/bin/sh"], [b"/bin/sh"], True, (), None, None, -1, -1, -1, -1, -1, -1, -1, -1, True, True, -1, None, None, -1, None, False)`,
    blocked: /Error/,
  },

  // Files
  { name: "open", source: "return open('{secret}').read()", blocked: /FileNotFoundError/ },
  {
    name: "mountNodeFS",
    source:
      "import pyodide_js\npyodide_js.mountNodeFS('/mnt', '/etc')\nreturn open('/mnt/passwd').read()",
    blocked: /Error/,
  },
  {
    name: "mountNodeFS of the interpreter's own code",
    source:
      "import os, pyodide_js\npyodide_js.mountNodeFS('/mnt2', '{own}')\nreturn os.listdir('/mnt2')",
    blocked: /Error/,
  },
  {
    name: "FS.mount of NODEFS",
    source: `import js, pyodide_js
from pyodide.ffi import to_js
FS = pyodide_js.FS
FS.mkdirTree("/mnt3")
FS.mount(FS.filesystems.NODEFS, js.Object.fromEntries(to_js([["root", "/etc"]])), "/mnt3")
return open("/mnt3/passwd").read()`,
    blocked: /Error/,
  },
  {
    name: "write into a mount that was refused",
    source:
      "import os\nos.makedirs('/mnt2', exist_ok=True)\nopen('/mnt2/x', 'w').write('x')\nreturn 'written'",
    harmless: { why: "it lands in the in-memory file system", reaches: /^written$/ },
  },
  {
    name: "dlopen of an addon",
    source: "import ctypes\nreturn ctypes.CDLL('/x.node')",
    blocked: /OSError/,
  },
  {
    name: "ctypes.CDLL(None)",
    source: "import ctypes\nreturn ctypes.CDLL(None)",
    harmless: { why: "it is the WebAssembly module itself", reaches: /^<CDLL/ },
  },

  // Network
  {
    name: "socket",
    source: `import socket
s = socket.create_connection(("127.0.0.1", {port}), timeout=2)
s.sendall(b"hi")
return s.recv(10)`,
    blocked: /OSError .*run_command/,
  },
  {
    name: "_socket",
    source: `import _socket
s = _socket.socket()
s.settimeout(2)
s.connect(("127.0.0.1", {port}))
s.send(b"hi")
return s.recv(10)`,
    blocked: /Error/,
  },
  {
    name: "NodeSockFS",
    source: `import pyodide_js
from pyodide.ffi import run_sync
return run_sync(pyodide_js.useNodeSockFS())`,
    blocked: /Error/,
  },
  {
    name: "loadPackage",
    source: `import pyodide_js
from pyodide.ffi import run_sync
return run_sync(pyodide_js.loadPackage("http://127.0.0.1:{port}/x.whl"))`,
    blocked: /Error/,
  },
  {
    name: "pyfetch",
    source: `from pyodide.http import pyfetch
from pyodide.ffi import run_sync
return run_sync(pyfetch("http://127.0.0.1:{port}/"))`,
    blocked: /Error/,
  },
  {
    name: "open_url",
    source: `from pyodide.http import open_url
return open_url("http://127.0.0.1:{port}/").read()`,
    blocked: /Error/,
  },
  {
    name: "urllib",
    source: `import urllib.request
return urllib.request.urlopen("http://127.0.0.1:{port}/", timeout=2).read()`,
    blocked: /URLError .*run_command/,
  },

  // What lies about
  {
    name: "str(dir(pyodide_js))",
    source: "import pyodide_js\nreturn len(dir(pyodide_js)) > 0",
    harmless: { why: "names of the interpreter's own module", reaches: /^True$/ },
  },
  {
    name: "members of the runtime's module",
    source: "import pyodide_js\nreturn len(dir(pyodide_js._module)) > 0",
    harmless: { why: "names of the interpreter's own module", reaches: /^True$/ },
  },
  {
    name: "require or process among the members",
    source: `import pyodide_js
wanted = ("require", "process", "fs", "child_process", "_emscripten_system")
return [key for key in dir(pyodide_js._module) if key.lower() in wanted]`,
    harmless: { why: "FS is the in-memory file system", reaches: /^\['FS'\]$/ },
  },
  {
    name: "names of _api",
    source: "import pyodide_js\nreturn len(dir(pyodide_js._api)) > 0",
    harmless: { why: "names of the interpreter's own module", reaches: /^True$/ },
  },
  {
    name: "_api.config.env",
    source: "import pyodide_js\nreturn sorted(pyodide_js._api.config.env.to_py())",
    harmless: {
      why: "values that we made up",
      reaches: /^\['HOME', 'LANG', 'PYTHONINSPECT'\]$/,
    },
  },
  {
    name: "os.environ",
    source: "import os\nreturn sorted(os.environ)",
    harmless: {
      why: "values that Emscripten and we made up",
      reaches:
        /^\['HOME', 'LANG', 'LD_LIBRARY_PATH', 'LOGNAME', 'PATH', 'PWD', 'PYTHONINSPECT', 'USER', '_'\]$/,
    },
  },
  {
    name: "collected objects with process, require or binding",
    source: `import gc
from pyodide.ffi import JsProxy
names = ("process", "require", "mainModule", "binding")
found = [name for each in gc.get_objects() if isinstance(each, JsProxy) for name in names if hasattr(each, name)]
return found or 1 / 0`,
    blocked: /ZeroDivisionError/,
  },
  {
    name: "paths of the host in the loader's configuration",
    source: `import pyodide_js
config = pyodide_js._api.config
return [key for key in dir(config) if str(getattr(config, key, "")).removeprefix("file://").startswith("{pyodide}")] or 1 / 0`,
    blocked: /ZeroDivisionError/,
  },
]
