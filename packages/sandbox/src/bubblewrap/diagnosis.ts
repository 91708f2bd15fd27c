/** What a trial of bubblewrap came to. */
export type Trial =
  | { outcome: "not_found" }
  | { outcome: "unsupported"; architecture: string }
  /** It ran, and not all that was promised holds. */
  | { outcome: "leaks"; what: string }
  | { outcome: "failed"; message: string }

export type Diagnosis = { reason: string; hint: string }

/** Text of a file of the system; undefined where there is none. */
export type ReadText = (file: string) => string | undefined

const INSTALL =
  "Install it, on Debian and Ubuntu: sudo apt-get install bubblewrap (Fedora: sudo dnf install bubblewrap; Arch: sudo pacman -S bubblewrap)"

const WITHOUT = "or use --sandbox off to run commands with your own authority."

/** Puts what went wrong in words, with what repairs it. */
export function diagnose(trial: Trial, read: ReadText): Diagnosis {
  switch (trial.outcome) {
    case "not_found":
      return { reason: "bwrap was not found in PATH", hint: `${INSTALL}, ${WITHOUT}` }
    case "unsupported":
      return {
        reason: `there is no seccomp program for the architecture ${trial.architecture}`,
        hint: `Use an x64 or arm64 machine, ${WITHOUT}`,
      }
    case "leaks":
      return {
        reason: `bubblewrap started, but ${trial.what}`,
        hint: `Update bubblewrap and the kernel, ${WITHOUT}`,
      }
    case "failed":
      return failed(trial.message, read)
  }
}

function failed(message: string, read: ReadText): Diagnosis {
  const said = message.trim().split("\n").at(-1) ?? ""
  if (/Unknown option/i.test(said)) {
    return {
      reason: `bwrap is too old (${said})`,
      hint: `Update bubblewrap to 0.8 or later, ${WITHOUT}`,
    }
  }
  if (/ENOSPC|max_\S*namespaces/.test(said)) {
    return {
      reason: `no user namespace can be made here (${said})`,
      hint: `Start harness outside the sandbox that it runs in, allow more: sudo sysctl -w user.max_user_namespaces=15000, ${WITHOUT}`,
    }
  }
  if (isContainer(read)) {
    return {
      reason: `the container that harness runs in does not let bubblewrap work (${said})`,
      hint: `Start the container with --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined, ${WITHOUT}`,
    }
  }
  const [setting] = closed(read)
  if (setting) {
    return { reason: `${setting.reason} (${said})`, hint: `${setting.hint}, ${WITHOUT}` }
  }
  return { reason: `bubblewrap did not start: ${said}`, hint: `Repair that, ${WITHOUT}` }
}

/** The settings of the kernel that close user namespaces. */
function closed(read: ReadText): Diagnosis[] {
  const settings = [
    {
      file: "/proc/sys/kernel/unprivileged_userns_clone",
      value: "0",
      reason: "user namespaces are off for ordinary users",
      hint: "Allow them: sudo sysctl -w kernel.unprivileged_userns_clone=1",
    },
    {
      file: "/proc/sys/user/max_user_namespaces",
      value: "0",
      reason: "user namespaces are off",
      hint: "Allow them: sudo sysctl -w user.max_user_namespaces=15000",
    },
    {
      file: "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
      value: "1",
      reason: "AppArmor keeps bubblewrap from user namespaces",
      hint: "Allow it: sudo apt-get install apparmor-profiles && sudo ln -s /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && sudo apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict; or for all programs: sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0",
    },
  ]
  return settings.filter(({ file, value }) => read(file)?.trim() === value)
}

/** Docker, Podman and Kubernetes leave these. */
function isContainer(read: ReadText): boolean {
  const marks = ["/.dockerenv", "/run/.containerenv"]
  return (
    marks.some(file => read(file) !== undefined) ||
    /(^|\0)container=/.test(read("/proc/1/environ") ?? "") ||
    /docker|kubepods|containerd|libpod|lxc/.test(read("/proc/1/cgroup") ?? "")
  )
}
