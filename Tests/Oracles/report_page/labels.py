"""Labels on the page: keys, what the browser keeps, and the CSV that it saves, read by kymo and by Python."""
import csv
import pathlib
import sqlite3
import tempfile
import time

NOTE = "=1, \"two\"\nlines </script><script>globalThis.hacked=1</script>"


def saved(browser, folder):
    """The file that the button makes."""
    path = pathlib.Path(folder) / "labels.csv"
    path.unlink(missing_ok=True)
    browser.evaluate("document.getElementById('save-labels').click()")
    for _ in range(1000):
        if path.exists() and path.stat().st_size > 0:
            return path
        time.sleep(0.01)
    raise TimeoutError("no file was saved")


def test_labels(browser, place, check):
    path = place.record("labelled", "scenarios/grid-to-detail.pinch.json", "pinch-open.evemu")
    place.run("label", path, "cancel", "--note", NOTE)
    page = place.page("labelled", path)
    with tempfile.TemporaryDirectory() as folder:
        browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=folder)
        browser.open(page)
        check("the page knows the recording's label", browser.state()["meant"] == "cancel", str(browser.state()))
        check("it is said at the release", ", meant cancel ✗" in browser.evaluate("document.querySelector('#releases').textContent"))
        browser.press("d")
        check("D asks", browser.state()["asking"] == "true")
        browser.press("x")
        check("another key is itself", (browser.state()["asking"], browser.state()["meant"]) == ("false", "cancel"))
        for key, meant in [("f", "finish"), ("u", "unsure"), ("n", ""), ("c", "cancel"), ("F", "finish")]:
            browser.press("D" if key == "F" else "d")
            browser.press(key)
            check(f"D, {key} labels the release", browser.state()["meant"] == meant, browser.state()["meant"])
        browser.press("d")
        browser.press("Escape")
        check("Escape ends the question", (browser.state()["asking"], browser.state()["meant"]) == ("false", "finish"))
        browser.press("f")
        check("F alone fits", browser.state()["meant"] == "finish")
        browser.open(page, "#t=0.1")
        check("the browser keeps it", browser.state()["meant"] == "finish", browser.state()["meant"])
        file = saved(browser, folder)
        rows = list(csv.DictReader(file.open(newline="", encoding="utf-8")))
        # N took the note with the label.
        check("the CSV has it", [(row["transition"], row["label"], row["note"]) for row in rows] == [("0", "finish", "")], str(rows))
        place.run("label", path, "--import", file)
        with sqlite3.connect(path) as database:
            found = database.execute("SELECT label FROM decisions").fetchall()
        check("any SQLite sees what was imported", found == [("finish",)], str(found))
        place.run("label", path, "unsure", "--note", NOTE)
        browser.open(place.page("labelled-again", path))
        check("what is newer in the recording goes first", browser.state()["meant"] == "unsure", browser.state()["meant"])
        file = saved(browser, folder)
        rows = list(csv.reader(file.open(newline="", encoding="utf-8")))
        check("the note is one cell and no formula", rows[1][3] == "'" + NOTE, str(rows))
        place.run("label", path, "none")
        place.run("label", path, "--import", file)
        with sqlite3.connect(path) as database:
            found = database.execute("SELECT label, note FROM labels").fetchall()
        check("and comes back as it was", found == [("unsure", NOTE)], str(found))
        check("no note runs", browser.evaluate("globalThis.hacked") is None)
        # A browser that keeps nothing for pages from disk.
        browser.evaluate("Object.defineProperty(globalThis, 'localStorage', { get() { throw new Error('none'); } }); 0")
        browser.press("d")
        browser.press("c")
        check("without storage it labels until it is closed", browser.state()["meant"] == "cancel")
        check("nothing is wrong with the page", browser.complaints() == [], str(browser.complaints()))
