"""Arguments of which compiled functions overwrite parts: what is stored, what is read before and after, and that no
kernel copies the rest."""

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("fuser.torch", exc_type=ImportError)

import fuser.torch as backend  # noqa: E402
from torch_backend.regions import texts  # noqa: E402

pytestmark = pytest.mark.usefixtures("fresh")

SHAPE = (4, 8, 1024, 4)


def numbers(*shape, dtype=torch.float32):
    return torch.randn(*shape).to(dtype)


def add_to_rows(x, k):
    x[:, :, 5:9] += k


def read_rows(x, k):
    x[:, :, 5:9] = k
    return x[:, :, :9].sum(-1), x.mean(2)


def return_view(x, k):
    x[:, :, 5:9] = k
    return x[:, :, :9], k + 1


def return_argument(x, k):
    x[:, :, 5:9] = k * 2
    return x


def scale_first(x, k):
    x[..., 0] *= 2
    x[:, :4] *= k.mean()


def store_twice(x, k):
    x[:, :, 5:9] = k
    x[:, :, 7:11] = k * 3
    return x.sum()


def keep_previous(x, k):
    before = x[:, :, 5:9] * 2
    x[:, :, 5:9] = k
    return before, x.amax((1, 2))


def copy_rows(x, k):
    x[:, :, 4:8] = x[:, :, 2:6].clone() + k


def two_places(x, k):
    x[:, 1, 5:9] = k[:, 1]
    return x.sum(0)


UPDATES = [
    add_to_rows,
    read_rows,
    return_view,
    return_argument,
    scale_first,
    store_twice,
    keep_previous,
    copy_rows,
    two_places,
]


def compare(function, *arguments, dynamic=False):
    mine, own = ([x.clone() if isinstance(x, torch.Tensor) else x for x in arguments] for _ in range(2))
    result = torch.compile(function, backend="fuser", dynamic=dynamic)(*mine)
    torch.testing.assert_close(result, function(*own), rtol=1e-5, atol=1e-4)
    torch.testing.assert_close(mine, own, rtol=1e-5, atol=1e-4)
    assert backend.report() == []
    return result, mine


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("update", UPDATES)
def test_boxes(update, dtype, dynamic):
    compare(update, numbers(*SHAPE, dtype=dtype), numbers(4, 8, 4, 4, dtype=dtype), dynamic=dynamic)


def replace_all(x, k):
    x.copy_(x.neg() + k.mean())
    return x.sum(-1)


def overwrite_all(x, k):
    x.copy_(k.mean())


GAPS = {
    "columns": (lambda shape: (*shape[:-1], shape[-1] + 3), lambda x: x[..., 1:-2]),
    "aligned columns": (lambda shape: (*shape[:-1], shape[-1] + 8), lambda x: x[..., :-8]),
    "rows": (lambda shape: (shape[0], shape[1] + 2, *shape[2:]), lambda x: x[:, 1:-1]),
    "transposed columns": (lambda shape: (*shape[:2], shape[3], shape[2] + 5), lambda x: x[..., 5:].mT),
    "every second": (lambda shape: (*shape[:-1], 2 * shape[-1]), lambda x: x[..., ::2]),
}


@pytest.mark.parametrize("dynamic", [False, True])
@pytest.mark.parametrize("gaps", GAPS)
@pytest.mark.parametrize("update", [*UPDATES, replace_all, overwrite_all])
def test_arguments_with_gaps(update, gaps, dynamic):
    # Where an argument has gaps in memory, its elements are overwritten, and nothing between them.
    around, inside = GAPS[gaps]
    mine = numbers(*around(SHAPE))
    own = mine.clone()
    k = numbers(4, 8, 4, 4)
    result = torch.compile(update, backend="fuser", dynamic=dynamic)(inside(mine), k)
    torch.testing.assert_close(result, update(inside(own), k), rtol=1e-5, atol=1e-4)
    torch.testing.assert_close(mine, own, rtol=1e-5, atol=1e-4)
    assert backend.report() == []


def test_all_rows_of_an_unknown_number_are_not_copied():
    compiled = torch.compile(read_rows, backend="fuser")
    for count in (3, 4):  # the second call makes the number of rows a symbol
        x, k = numbers(count, *SHAPE[1:]), numbers(count, 8, 4, 4)
        expected = read_rows(x.clone(), k)
        torch.testing.assert_close(compiled(x, k), expected, rtol=1e-5, atol=1e-4)
    assert "tensor<?x8x1024x4xf32>" in texts()[-1]
    assert texts()[-1].count("insert_slice") == 1


@pytest.mark.parametrize("count", [1, 5])
def test_positions(count):
    def decode(x, at, k):
        x[:, :, at] = k
        return x.sum(-1)

    before = len(texts())
    compare(decode, numbers(*SHAPE), torch.randperm(1024)[:count], numbers(4, 8, count, 4))
    assert len(texts()) == before + 1


def test_begins_that_are_arguments():
    def append(x, k, begin):
        x[:, :, begin : begin + 4] = k
        return x[:, :, : begin + 4].sum(2)

    for begin in (3, 500, 1020):
        compare(append, numbers(*SHAPE), numbers(4, 8, 4, 4), begin)


def test_rows_that_are_averaged_with_others():
    def average(x, at, k):
        x[at] = x[at] * 0.9 + k * 0.1
        return x.sum()

    compare(average, numbers(1000, 64), torch.randperm(1000)[:7], numbers(7, 64))


def test_elements_that_are_scattered():
    def replace(x, at, k):
        x.scatter_(1, at, k)
        return x.amax(1)

    at = torch.stack([torch.randperm(1024)[:6] for _ in range(64)])
    compare(replace, numbers(64, 1024), at, numbers(64, 6))


@pytest.mark.parametrize("dynamic", [False, True])
def test_pages_are_views_of_the_argument(dynamic):
    def store(pages, slots, k):
        pages.view(-1, *pages.shape[2:])[slots] = k
        return k.amax(1)

    compare(store, numbers(64, 16, 8, 8), torch.randperm(1024)[:100], numbers(100, 8, 8), dynamic=dynamic)
    assert "fuser.reshape" not in texts()[-1]


def test_pages_of_an_argument_with_gaps_are_views():
    def store(pages, slots, k):
        pages.view(-1, *pages.shape[2:])[slots] = k
        return k.abs().amax((-2, -1))

    mine = numbers(300, 16, 2, 80)
    own, slots, k = mine.clone(), torch.randperm(4800)[:100], numbers(100, 2, 64)
    result = torch.compile(store, backend="fuser")(mine[..., :64], slots, k)
    torch.testing.assert_close(result, store(own[..., :64], slots, k))
    torch.testing.assert_close(mine, own)
    assert backend.report() == []
    (returned,) = (line for line in texts()[-1].splitlines() if "fuser.return" in line)
    assert "4800x2x64" in returned


@pytest.mark.parametrize("count", [1, 3])
def test_what_pytorch_reads_is_the_argument(count):
    """Attention over a cache: contractions are PyTorch's, and read the cache, not a copy of it."""

    def decode(q, keys, values, at, k, v):
        keys[:, :, at] = k
        values[:, :, 7 : 7 + count] = v
        return (q @ keys.transpose(-1, -2)).softmax(-1) @ values

    q, k, v = numbers(2, 4, 1, 16), numbers(2, 4, count, 16), numbers(2, 4, count, 16)
    caches = [numbers(2, 4, 500, 16) for _ in range(2)]
    mine, own = ([x.clone() for x in caches] for _ in range(2))
    at = torch.randperm(500)[:count]
    before = len(texts())
    result = torch.compile(decode, backend="fuser")(q, *mine, at, k, v)
    torch.testing.assert_close(result, decode(q, *own, at, k, v), rtol=1e-5, atol=1e-5)
    torch.testing.assert_close(mine, own)
    assert all("mm" in fallback.op for fallback in backend.report())
    stored = texts()[before]
    (returned,) = (line for line in stored.splitlines() if "fuser.return" in line)
    assert returned.count("x500x16") == 2


def test_parts_of_a_view():
    def store(x, k):
        x.view(-1)[10:14] = k
        return x.sum(1)

    compare(store, numbers(64, 1024), numbers(4))


def test_pages_that_are_read_in_their_shape():
    def store(pages, slots, k):
        pages.view(-1, 64)[slots] = k
        return pages.sum((1, 2))

    compare(store, numbers(64, 16, 64), torch.randperm(1024)[:100], numbers(100, 64))


def test_a_result_that_is_also_stored_is_no_view():
    def function(x, k):
        y = x + k
        x.copy_(y)
        return y

    x, k = numbers(64, 1024), numbers(64, 1024)
    result, (mine, _) = compare(function, x, k)
    assert result.data_ptr() != mine.data_ptr()


def test_views_of_the_argument_are_returned():
    result, (x, _) = compare(return_view, numbers(4, 8, 3000, 4), numbers(4, 8, 4, 4))
    assert result[0].data_ptr() == x.data_ptr()
    (returned,) = (line for line in texts()[-1].splitlines() if "fuser.return" in line)
    assert returned.count("8x3000x4") == 1


def test_one_of_several_elements_is_the_same_in_each_run():
    def replace(x, at, k):
        x[at] = k

    torch.use_deterministic_algorithms(True)
    try:
        at, k = torch.zeros(64, dtype=torch.int64), numbers(64, 64)
        _, (x, *_) = compare(replace, numbers(1000, 64), at, k)
        torch.testing.assert_close(x[0], k[-1])
        assert "fuser.segment_set" in texts()[-1]
    finally:
        torch.use_deterministic_algorithms(False)
