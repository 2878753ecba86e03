#!/usr/bin/env python3
"""How large the page of `kymo check --review` is, and how long Chromium takes with it.

    python3 -m review_page.speed PAGE      (in Tests/Oracles)
"""
import pathlib
import sys

from report_page.browser import Browser

MEASURE = """(async () => {
  const settled = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const time = async (work) => { const start = performance.now(); work(); await settled(); return performance.now() - start; };
  const search = document.getElementById("search");
  const type = (text) => () => { search.value = text; search.dispatchEvent(new Event("input")); };
  const sort = (order) => () => document.querySelector(`[data-order=${order}]`).click();
  const scroller = document.getElementById("scroller");
  return {
    first: performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd,
    sort: await time(sort("margin")), back: await time(sort("worst")),
    search: await time(type("1")), all: await time(type("")),
    end: await time(() => { scroller.scrollTop = scroller.scrollHeight; }),
    nodes: document.querySelectorAll("*").length,
    rows: Number(document.getElementById("table").getAttribute("aria-rowcount")) - 1,
  };
})()"""


def times(browser, page):
    """One line about a page: bytes, milliseconds until two frames were drawn, elements."""
    browser.open(page)
    found = browser.evaluate(MEASURE)
    return (f"{found['rows']} rows: {pathlib.Path(page).stat().st_size / 1000:.0f} kB, first table {found['first']:.0f} ms, "
            f"sort {found['sort']:.0f} ms, search {found['search']:.0f} ms, scrolled to the end {found['end']:.0f} ms, "
            f"{found['nodes']} elements")


if __name__ == "__main__":
    browser = Browser()
    try:
        print(times(browser, sys.argv[1]))
    finally:
        browser.close()
