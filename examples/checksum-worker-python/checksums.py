"""SHA-256 and size of the files in a folder below a base folder."""

import hashlib
import os

from jobgate import Fail


def folder_below(base, folder):
    """The real path of a folder below the base folder.

    Raises Fail when it is missing or leads out of the base folder, through a link too.
    """
    if not isinstance(folder, str) or folder == "" or "\0" in folder:
        raise Fail("data.folder must be the path of a folder")
    real_base = os.path.realpath(base)
    path = os.path.normpath(os.path.join(real_base, folder))
    # Before the disk is asked, so that nobody learns what exists outside.
    if not _is_within(real_base, path):
        raise Fail(f"{folder} is outside of the base folder")
    real_folder = os.path.realpath(path)
    if not _is_within(real_base, real_folder):
        raise Fail(f"{folder} is outside of the base folder")
    if not os.path.exists(real_folder):
        raise Fail(f"There is no folder {folder}")
    return real_folder


def _is_within(base, path):
    return os.path.commonpath([base, path]) == base


def file_names(folder):
    """Names of the plain files in a folder, in order. Links are left out: they may lead anywhere."""
    try:
        with os.scandir(folder) as entries:
            return sorted(entry.name for entry in entries if entry.is_file(follow_symlinks=False))
    except NotADirectoryError:
        raise Fail("data.folder is not a folder") from None


def checksum(folder, name):
    """Reads the file piece by piece, so that its size does not matter."""
    digest = hashlib.sha256()
    size = 0
    with open(os.path.join(folder, name), "rb") as file:
        while piece := file.read(1024 * 1024):
            digest.update(piece)
            size += len(piece)
    return {"name": name, "size": size, "sha256": digest.hexdigest()}
