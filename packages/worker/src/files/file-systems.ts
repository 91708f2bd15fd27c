import { statfsSync } from "node:fs"

/**
 * File systems of the kernel, by their magic numbers: what looks like a file there is a door to the
 * system. Reading one may block (kmsg), or show the memory of others (kcore, mem).
 */
const KERNEL_FILE_SYSTEMS: ReadonlyMap<number, string> = new Map([
  [0x9f_a0, "proc"],
  [0x62_65_65_72, "sysfs"],
  [0x1c_d1, "devpts"],
  [0x27_e0_eb, "cgroup"],
  [0x63_67_72_70, "cgroup2"],
  [0x64_62_67_20, "debugfs"],
  [0x74_72_61_63, "tracefs"],
  [0x73_63_66_73, "securityfs"],
  [0x62_65_65_70, "configfs"],
  [0x61_65_67_6c, "pstore"],
  [0xca_fe_4a_11, "bpf"],
  [0xde_5e_81_e4, "efivarfs"],
  [0xf9_7c_ff_8c, "selinuxfs"],
  [0x42_49_4e_4d, "binfmt_misc"],
  [0x65_73_55_43, "fusectl"],
  [0x19_80_02_02, "mqueue"],
])

/** The name of the kernel's file system that a path lies on; undefined for a disk or memory. */
export function kernelFileSystem(path: string): string | undefined {
  return KERNEL_FILE_SYSTEMS.get(statfsSync(path).type)
}
