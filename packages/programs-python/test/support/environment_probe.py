import os


def attempt(name, look):
    try:
        print(name, look())
    except BaseException as error:
        print(name, type(error).__name__)


def javascript(code):
    from pyodide.code import run_js

    return run_js(code)


def js_environment():
    import js

    return js.process.env.to_py() if hasattr(js.process.env, "to_py") else js.process.env.HARNESS_FAKE_TOKEN


def js_token():
    import js

    return js.process.env.HARNESS_FAKE_TOKEN


def mounted():
    import pyodide_js

    pyodide_js.mountNodeFS("/host_proc", "/proc/self")
    return open("/host_proc/environ").read()


attempt("os.environ", lambda: dict(os.environ))
attempt("js.process.env", js_environment)
attempt("js.process.env.HARNESS_FAKE_TOKEN", js_token)
attempt("run_js", lambda: javascript("JSON.stringify(process.env)"))
attempt("/proc/self/environ", lambda: open("/proc/self/environ").read())
attempt("mounted /proc/self/environ", mounted)
attempt("os.system", lambda: os.system("env"))
