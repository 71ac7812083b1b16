from __future__ import annotations

from pathlib import Path

import pytest

from beleg.app.ir.ann.grid import default_grid, merged, parse_index, read_grid
from beleg.core.errors import ConfigError, UsageError


def test_every_combination_of_the_values_is_a_point() -> None:
    planned = parse_index("faiss-hnsw: M=8,16 ; efSearch=10,20,30")
    assert [dict(each.build) for each in planned] == [
        {"M": 8, "efConstruction": 100},
        {"M": 16, "efConstruction": 100},
    ]
    assert [dict(search) for search in planned[0].searches] == [{"efSearch": 10}, {"efSearch": 20}, {"efSearch": 30}]


def test_an_index_without_settings_is_one_point() -> None:
    (planned,) = parse_index("qdrant-local")
    assert (dict(planned.build), planned.searches) == ({}, ({},))


def test_the_same_index_is_built_once() -> None:
    planned = merged([*parse_index("faiss-ivf:nlist=8;nprobe=1,2,2"), *parse_index("faiss-ivf:nlist=8;nprobe=2,4")])
    assert [[dict(search)["nprobe"] for search in each.searches] for each in planned] == [[1, 2, 4]]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("hnws", "no index called 'hnws'"),
        ("faiss-hnsw:N=3", "faiss-hnsw has no setting 'N'"),
        ("faiss-hnsw:M", "cannot be read at 'M'"),
        ("faiss-hnsw:M=8;M=9", "names M twice"),
        ("faiss-hnsw:M=x", "gives M the value 'x', which is no whole number"),
        ("faiss-hnsw:M=-8", "no whole number"),
        ("faiss-hnsw:M=", "no whole number"),
        ("faiss-hnsw:M=1", "M must lie between 2 and 256"),
        ("faiss-hnsw:M=99999999999999999999", "no whole number"),
    ],
)
def test_what_cannot_be_built_is_told(text: str, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_index(text)
    assert said in str(caught.value)


def test_a_sweep_without_end_is_refused() -> None:
    numbers = ",".join(str(number) for number in range(1, 3_000))
    with pytest.raises(UsageError, match="more than 2,000"):
        merged(parse_index(f"faiss-hnsw:efSearch={numbers}"))


def test_a_grid_file_is_strict(tmp_path: Path) -> None:
    path = tmp_path / "grid.yaml"
    path.write_text(
        "indexes:\n  - kind: faiss-ivf\n    settings: {nlist: [8, 16], nprobe: [1, 4]}\n  - kind: usearch\n"
    )
    assert [(each.kind.name, len(each.searches)) for each in read_grid(path)] == [
        ("faiss-ivf", 2), ("faiss-ivf", 2), ("usearch", 1),
    ]  # fmt: skip
    path.write_text("indexes:\n  - kind: faiss-ivf\n    settings: {nlist: 8}\n")
    with pytest.raises(ConfigError, match=r"grid\.yaml:3: field 'indexes\[0\]\.settings\.nlist'"):
        read_grid(path)
    path.write_text("indexes:\n  - kind: faiss-ivf\n    nlist: [8]\n")
    with pytest.raises(ConfigError, match="nlist"):
        read_grid(path)


def test_the_default_fits_small_corpora_too() -> None:
    for total in (1, 5, 100, 1_000_000):
        cells = default_grid(total)[-1]
        assert 1 <= cells.build["nlist"] <= total
        assert all(search["nprobe"] <= cells.build["nlist"] for search in cells.searches)
