"""The tree of a log: the published vectors of Certificate Transparency, and the definition itself written naively."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from beleg.release.merkle import (
    EMPTY_ROOT,
    consistency_path,
    inclusion_path,
    leaf_hash,
    root_of,
    verify_consistency,
    verify_inclusion,
)

INPUTS = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f"]
LEAVES = [leaf_hash(bytes.fromhex(data)) for data in INPUTS]
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
A, B, C = (
    "5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e",
    "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
)
FIRST = "96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7"
LAST_HALF = "6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4"
PAIR_5_6 = "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a"

INCLUSION = [
    (0, 8, [FIRST, A, LAST_HALF]),
    (5, 8, [B, C, ROOTS[4]]),
    (2, 3, [ROOTS[2]]),
    (1, 5, [ROOTS[1], A, B]),
]
CONSISTENCY = [
    (1, 1, []),
    (1, 8, [FIRST, A, LAST_HALF]),
    (6, 8, [PAIR_5_6, C, ROOTS[4]]),
    (2, 5, [A, B]),
]

sizes = st.integers(1, 40)
trees = sizes.map(lambda size: [leaf_hash(bytes([at])) for at in range(size)])


def hexed(path: Sequence[bytes]) -> list[str]:
    return [step.hex() for step in path]


def defined_root(leaves: Sequence[bytes]) -> bytes:
    """MTH of RFC 9162, section 2.1.1, as it stands there."""
    n = len(leaves)
    if n == 0:
        return hashlib.sha256().digest()
    if n == 1:
        return leaves[0]
    k = 1
    while k * 2 < n:
        k *= 2
    return hashlib.sha256(b"\x01" + defined_root(leaves[:k]) + defined_root(leaves[k:])).digest()


def defined_path(m: int, leaves: Sequence[bytes]) -> list[bytes]:
    """PATH of RFC 9162, section 2.1.3.1."""
    n = len(leaves)
    if n == 1:
        return []
    k = 1
    while k * 2 < n:
        k *= 2
    if m < k:
        return [*defined_path(m, leaves[:k]), defined_root(leaves[k:])]
    return [*defined_path(m - k, leaves[k:]), defined_root(leaves[:k])]


@pytest.mark.parametrize("size", range(9))
def test_roots_are_the_published_ones(size: int) -> None:
    assert root_of(LEAVES[:size]).hex() == ROOTS[size]


@pytest.mark.parametrize(("index", "size", "path"), INCLUSION)
def test_inclusion_paths_are_the_published_ones(index: int, size: int, path: list[str]) -> None:
    made = inclusion_path(index, LEAVES[:size])
    assert hexed(made) == path
    assert verify_inclusion(LEAVES[index], index, size, made, bytes.fromhex(ROOTS[size]))


@pytest.mark.parametrize(("first", "second", "path"), CONSISTENCY)
def test_consistency_paths_are_the_published_ones(first: int, second: int, path: list[str]) -> None:
    made = consistency_path(first, LEAVES[:second])
    assert hexed(made) == path
    assert verify_consistency(first, second, bytes.fromhex(ROOTS[first]), bytes.fromhex(ROOTS[second]), made)


@given(trees)
def test_the_root_is_that_of_the_definition(leaves: list[bytes]) -> None:
    assert root_of(leaves) == defined_root(leaves)


@given(trees, st.data())
def test_every_leaf_has_its_path_and_no_other_place_or_leaf_has_it(leaves: list[bytes], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(leaves) - 1))
    path, root = inclusion_path(index, leaves), root_of(leaves)
    assert list(path) == defined_path(index, leaves)
    assert verify_inclusion(leaves[index], index, len(leaves), path, root)
    for other in range(len(leaves)):
        if other != index:
            assert not verify_inclusion(leaves[index], other, len(leaves), path, root)
            assert not verify_inclusion(leaves[other], index, len(leaves), path, root)


@given(trees, st.data())
def test_a_beginning_is_proved_and_any_change_shows(leaves: list[bytes], data: st.DataObject) -> None:
    first = data.draw(st.integers(0, len(leaves)))
    path, before, after = consistency_path(first, leaves), root_of(leaves[:first]), root_of(leaves)
    assert verify_consistency(first, len(leaves), before, after, path)
    changed = data.draw(st.integers(0, len(leaves) - 1))
    forged = [*leaves[:changed], leaf_hash(b"forged"), *leaves[changed + 1 :]]
    proof = consistency_path(first, forged)
    assert verify_consistency(first, len(leaves), before, root_of(forged), proof) == (changed >= first)


@given(trees, st.data())
def test_no_step_of_a_path_can_be_changed_left_out_or_added(leaves: list[bytes], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(leaves) - 1))
    first = data.draw(st.integers(1, len(leaves)))
    size, root, before = len(leaves), root_of(leaves), root_of(leaves[:first])
    inclusion, consistency = list(inclusion_path(index, leaves)), list(consistency_path(first, leaves))
    for path in mutations(inclusion):
        assert not verify_inclusion(leaves[index], index, size, path, root)
    for path in mutations(consistency):
        assert not verify_consistency(first, size, before, root, path)


def mutations(path: list[bytes]) -> list[list[bytes]]:
    flipped = [[*path[:at], bytes([path[at][0] ^ 1]) + path[at][1:], *path[at + 1 :]] for at in range(len(path))]
    shorter = [path[:at] + path[at + 1 :] for at in range(len(path))]
    return [*flipped, *shorter, [*path, EMPTY_ROOT], [EMPTY_ROOT, *path]]


@pytest.mark.parametrize(("index", "size"), [(-1, 1), (1, 1), (0, 0), (8, 8)])
def test_a_place_outside_the_tree_is_no_place(index: int, size: int) -> None:
    assert not verify_inclusion(LEAVES[0], index, size, [], LEAVES[0])
    with pytest.raises(IndexError):
        inclusion_path(index, LEAVES[:size])


def test_a_tree_does_not_shrink() -> None:
    assert not verify_consistency(2, 1, root_of(LEAVES[:2]), LEAVES[0], [])
    with pytest.raises(IndexError):
        consistency_path(2, LEAVES[:1])


def test_a_node_does_not_pass_for_an_entry() -> None:
    """Without the two prefixes the concatenation of two hashes would be an entry with the root of both."""
    assert leaf_hash(LEAVES[0] + LEAVES[1]) != root_of(LEAVES[:2])
