"""Draws a result as an SVG: for each row of the table, the share of the copy rate of fuser and of the best peer."""

from xml.sax.saxutils import escape

from result import Result, share_of_copy
from table import Peers, Row, Table

# In pixels.
WIDTH = 940
LABELS = 212  # where bars begin
BAR = 7
ROW = 2 * BAR + 4
FAMILY = 5  # between two families
GROUP = 30
HEAD = 74
FOOT = 16
PER_PERCENT = 4.2
MOST_PERCENT = 115
NOTES = LABELS + PER_PERCENT * MOST_PERCENT + 8
# The background is part of the picture, so that it looks alike in light and dark viewers.
BACKGROUND, TEXT, FAINT, LINE = "#ffffff", "#1a1a1a", "#5c5c5c", "#d5d5d5"
OURS, PEER, FAILED = "#1f6fb4", "#e0913a", "#b3261e"


def text(x: float, y: float, content: str, *, size: int = 11, fill: str = TEXT, anchor: str = "start") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text {place} font-size="{size}" fill="{fill}">{escape(content)}</text>'


def bar(y: float, percent: float, fill: str, title: str) -> str:
    """A bar that ends at the right edge where the share is larger than the axis: small tensors fit caches."""
    width = PER_PERCENT * min(percent, MOST_PERCENT)
    return (
        f'<rect x="{LABELS}" y="{y:.1f}" width="{width:.1f}" height="{BAR}" fill="{fill}">'
        f"<title>{escape(title)}</title></rect>"
    )


def draw_row(y: float, row: Row, result: Result, peers: Peers | None) -> list[str]:
    found = result.rows[row.key]
    us = found.get("us")
    best = peers.best(row.key) if peers else None
    shapes = [text(LABELS - 8, y + BAR + 4, row.key, anchor="end")]
    shares = []
    for number, (name, time, fill) in enumerate((("fuser", us, OURS), (*best, PEER) if best else ("", None, PEER))):
        share = share_of_copy(found, time, result.copy_gbs) if time is not None else None
        if share is not None:
            shapes.append(bar(y + number * BAR, share, fill, f"{row.key}: {name} {time:.1f} us, {share:.1f} %"))
        shares.append(share)
    note = "failed" if us is None else f"{us:.1f} us" + (f" ({shares[0]:.0f} %)" if shares[0] is not None else "")
    if best:
        note += f"; {best[0]} {best[1]:.1f}"
    shapes.append(text(NOTES, y + BAR + 4, note, size=10, fill=FAILED if us is None else FAINT))
    return shapes


def draw_axis(bottom: float) -> list[str]:
    shapes = []
    for percent in range(0, 101, 20):
        x = LABELS + PER_PERCENT * percent
        stroke = FAINT if percent in (0, 100) else LINE
        shapes.append(f'<line x1="{x:.1f}" y1="{HEAD - 6}" x2="{x:.1f}" y2="{bottom:.1f}" stroke="{stroke}"/>')
        shapes.append(text(x, HEAD - 12, f"{percent} %", fill=FAINT, anchor="middle"))
    return shapes


def draw_legend(result: Result) -> list[str]:
    rate = f"{result.copy_gbs:.0f} GB/s" if result.copy_gbs else "unknown rate"
    title = f"Share of a copy of {rate} on {result.device or 'no device'} ({result.commit}, {result.date})"
    shapes = [text(16, 24, title, size=14)]
    x = 16
    for name, fill in (("fuser", OURS), ("best peer", PEER)):
        shapes.append(f'<rect x="{x}" y="36" width="12" height="{BAR}" fill="{fill}"/>')
        shapes.append(text(x + 18, 43, name))
        x += 80
    return shapes


def draw(result: Result, table: Table, peers: Peers | None) -> str:
    rows = [row for row in table.rows if row.key in result.rows]
    bars: list[str] = []
    y, group, family = HEAD, "", ""
    for row in rows:
        y += FAMILY if row.family != family else 0
        family = row.family
        if row.group != group:
            group = row.group
            bars.append(text(16, y + GROUP - 10, group, size=13))
            y += GROUP
        bars += draw_row(y, row, result, peers)
        y += ROW
    height = y + FOOT
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        'font-family="sans-serif">',
        f'<rect width="{WIDTH}" height="{height}" fill="{BACKGROUND}"/>',
        *draw_legend(result),
        *draw_axis(y),
        *bars,
        "</svg>",
    ]
    return "".join(line + "\n" for line in lines)
