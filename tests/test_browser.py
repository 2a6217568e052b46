"""Reports and the viewer in a real browser: Chromium, where there is one.

pytest -m browser        takes pip install '.[browser]', and chromium on the PATH
"""

import shutil
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from playproof.models.editions import load_edition
from playproof.models.games import game_ids, load_game
from playproof.oracles import script as scripts
from playproof.reports.diagram import diagram, rules_of
from playproof.reports.html.writing import Asked, write_reports
from playproof.reports.view import film_of_script, page
from playproof.reports.view.opening import film_of_file
from tests.test_report import DIP, EDITION, proved
from tests.test_view import HOSTILE, SUITES, SURPLUS_LOST, log, write

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium is on the PATH"),
]
sync_api = pytest.importorskip("playwright.sync_api", reason="pip install '.[browser]'")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="'.[browser]'")

QUIET = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
SHOWN = ["pot-doubled", "prize-booster", "multi-fill", "upgraded-multiplier"]
DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 360, "height": 740}
PROOFS = Path(__file__).parent.parent / "out" / "proofs"


@pytest.fixture(scope="session")
def chromium():
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield browser
        browser.close()


@pytest.fixture
def opened(chromium):
    """Return how to open a page; whatever it has to complain of fails the test."""
    wrong = []

    @contextmanager
    def opened(path, hash_="", size=DESKTOP, **context):
        # What fades in is pale for a moment: nothing moves, unless a test asks for it.
        made = chromium.new_context(viewport=size, **{"reduced_motion": "reduce", **context})
        shown = made.new_page()
        shown.on(
            "console", lambda one: one.type in ("error", "warning") and wrong.append(one.text)
        )
        shown.on("pageerror", lambda one: wrong.append(str(one)))
        shown.on("dialog", lambda one: (wrong.append(one.message), one.dismiss()))
        shown.on("request", lambda one: one.url.startswith("file:") or wrong.append(one.url))
        shown.goto(f"{Path(path).as_uri()}{hash_}")
        yield shown
        made.close()

    yield opened
    assert wrong == []


@cache
def viewed(name, folder):
    script = scripts.load(SUITES[name])
    path = Path(folder) / f"{name}.html"
    path.write_text(page(film_of_script(script, load_edition(load_game(script.game)))))
    return path, script


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return str(tmp_path_factory.mktemp("pages"))


@pytest.fixture(scope="session")
def judged(folder):
    path = Path(folder) / "judged.html"
    path.write_text(page(film_of_file(str(SURPLUS_LOST))))
    return path


@pytest.fixture(scope="session")
def report(tmp_path_factory):
    """Return the report of a game that is proved for this."""
    folder = tmp_path_factory.mktemp("report")
    write_reports([DIP], proved(folder / "proofs", DIP), folder, Asked(edition=EDITION))
    return folder / "lucky-dip.html"


def on_show(shown):
    """Return the id of the one step that is to be seen."""
    (one,) = shown.locator("article:visible").all()
    return one.get_attribute("id")


def no_wider_than_the_window(shown):
    return shown.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def serious(shown):
    """Return what axe finds that is serious or critical, with the element."""
    found = axe.Axe().run(shown).response["violations"]
    return [
        (one["id"], node["html"][:200])
        for one in found
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]


@pytest.mark.parametrize("name", SHOWN)
def test_the_viewer_steps_to_the_end_and_shows_the_prize(name, folder, opened):
    path, script = viewed(name, folder)
    with opened(path) as shown:
        assert on_show(shown) == "step-0"
        for number, move in enumerate(script.steps, start=1):
            shown.get_by_role("button", name="Next").click()
            assert on_show(shown) == f"step-{number}"
            assert f"Step {number} of {len(script.steps)}: {move.rule}" in shown.inner_text(
                ".where"
            )
        paid = shown.locator("article:visible .fact", has_text="Prize Amount paid")
        assert f"£{script.prize.amount // 100:,}" in paid.inner_text()


def test_keys_step_too_and_the_address_tells_the_step(folder, opened):
    path, script = viewed("pot-doubled", folder)
    with opened(path) as shown:
        for key, step in (
            ("ArrowRight", 1),
            ("ArrowRight", 2),
            ("ArrowLeft", 1),
            ("End", len(script.steps)),
            ("ArrowRight", len(script.steps)),
            ("Home", 0),
            ("ArrowLeft", 0),
        ):
            shown.keyboard.press(key)
            assert on_show(shown) == f"step-{step}"
        shown.keyboard.press("ArrowRight")
        assert shown.evaluate("location.hash") == "#step-1"
        shown.reload()
        assert on_show(shown) == "step-1"


def test_a_link_leads_to_a_step_and_all_of_it_is_there(folder, opened):
    path, _ = viewed("pot-doubled", folder)
    with opened(path, "#step-9") as shown:
        assert on_show(shown) == "step-9"
        assert shown.locator("article:visible .same").count() == 0
        assert shown.locator("article:visible .boxes", has_text="row 7").count() == 1
        shown.get_by_role("link", name="3 spin").click()
        assert on_show(shown) == "step-3"


def test_a_link_that_leads_nowhere_shows_the_start(folder, opened):
    with opened(viewed("red", folder)[0], "#step-999") as shown:
        assert on_show(shown) == "step-0"


def test_without_javascript_all_steps_are_shown(folder, opened):
    path, script = viewed("red", folder)
    with opened(path, java_script_enabled=False) as shown:
        assert shown.locator("article:visible").count() == len(script.steps) + 1
        assert not shown.get_by_role("button", name="Next").is_visible()
        assert shown.locator("nav ol a:visible").count() == len(script.steps) + 1


def test_what_is_said_to_who_does_not_see_changes_with_the_step(folder, opened):
    with opened(viewed("red", folder)[0]) as shown:
        status = shown.get_by_role("status")
        assert status.get_attribute("aria-live") == "polite"
        before = status.inner_text()
        shown.keyboard.press("ArrowRight")
        assert status.inner_text() != before
        assert shown.locator("nav [aria-current=step]").inner_text().startswith("1")


def test_the_buttons_come_first_and_keep_the_focus_at_the_end(folder, opened):
    with opened(viewed("red", folder)[0]) as shown:
        names = []
        for _ in range(4):
            shown.keyboard.press("Tab")
            names.append(shown.evaluate("document.activeElement.dataset.go"))
        assert names == ["first", "back", "next", "last"]
        shown.keyboard.press("Enter")
        assert on_show(shown) == "step-8"
        assert shown.evaluate("document.activeElement.dataset.go") == "last"
        assert shown.evaluate("document.activeElement.getAttribute('aria-disabled')") == "true"


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
def test_nothing_moves_for_who_wants_less_of_it(folder, opened, motion):
    with opened(viewed("red", folder)[0], reduced_motion=motion) as shown:
        name = shown.evaluate(
            "getComputedStyle(document.querySelector('.stage')).animationName"
        )
        assert (name == "none") == (motion == "reduce")


@pytest.mark.parametrize("name", SHOWN)
def test_no_step_is_wider_than_a_phone(name, folder, opened):
    path, script = viewed(name, folder)
    with opened(path, size=PHONE) as shown:
        for _ in range(len(script.steps) + 1):
            assert no_wider_than_the_window(shown), on_show(shown)
            shown.keyboard.press("ArrowRight")


def test_a_log_opens_with_a_link_to_what_is_wrong(judged, opened):
    with opened(judged, size=PHONE) as shown:
        assert no_wider_than_the_window(shown)
        shown.locator("header .alert a").click()
        assert on_show(shown) == "step-2"
        assert "not as the rules give it" in shown.inner_text("article:visible")
        assert no_wider_than_the_window(shown)


def test_a_hostile_log_does_nothing(tmp_path, opened):
    events = log()
    for event in events:
        event["play"] = HOSTILE
        event["shows"] = (event.get("shows") or {}) | {HOSTILE: HOSTILE, "spins_left": HOSTILE}
    events[1]["reveal"][HOSTILE] = HOSTILE
    path = tmp_path / "hostile.html"
    path.write_text(page(film_of_file(write(tmp_path / "hostile.jsonl", *events))))
    with opened(path, size=PHONE) as shown:
        assert "alert(1)" in shown.inner_text("h1")
        for _ in events:
            assert no_wider_than_the_window(shown)
            shown.keyboard.press("ArrowRight")


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize(
    ("name", "steps"),
    [
        ("pot-doubled", (0, 1, 9)),
        ("prize-booster", (2, 3)),
        ("upgraded-multiplier", (1, 9, 23)),
    ],
)
def test_axe_finds_nothing_serious_in_the_viewer(name, steps, size, folder, opened):
    for step in steps:
        with opened(viewed(name, folder)[0], f"#step-{step}", size) as shown:
            assert serious(shown) == []


def test_axe_finds_nothing_serious_where_something_is_wrong(judged, opened):
    with opened(judged, "#step-2") as shown:
        assert serious(shown) == []


def test_axe_finds_what_is_serious(tmp_path, opened):
    path = tmp_path / "bad.html"
    path.write_text(
        "<!DOCTYPE html><title>bad</title><button></button><p style='color:#ccc'>pale</p>"
    )
    with opened(path) as shown:
        assert {id_ for id_, _ in serious(shown)} >= {"button-name", "color-contrast"}


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_the_report_opens_fits_and_has_nothing_serious(report, opened, size):
    with opened(report, size=size) as shown:
        assert "Lucky Dip" in shown.inner_text("h1")
        assert no_wider_than_the_window(shown)
        assert serious(shown) == []


def test_the_links_of_the_report_lead_somewhere(report, opened):
    with opened(report) as shown:
        hashes = shown.evaluate(
            "[...document.querySelectorAll('a[href^=\"#\"]')].map(a => a.getAttribute('href'))"
        )
        assert hashes
        for hash_ in dict.fromkeys(hashes):
            assert shown.evaluate("id => !!document.getElementById(id.slice(1))", hash_), hash_
        plays = shown.evaluate(
            "[...document.querySelectorAll('a[href^=\"plays/\"]')].map(a => a.href)"
        )
        assert plays
        shown.goto(plays[0])
        shown.keyboard.press("End")
        assert on_show(shown) != "step-0"


@pytest.mark.parametrize("game", game_ids())
def test_the_report_of_each_game_opens_and_fits(game, tmp_path_factory, opened):
    if not (PROOFS / "verdicts.json").is_file():
        pytest.skip("out/proofs has no verdicts: run the README's first command")
    folder = tmp_path_factory.mktemp(game)
    write_reports([game], PROOFS, folder, Asked())
    for size in (DESKTOP, PHONE):
        with opened(folder / f"{game}.html", size=size) as shown:
            assert no_wider_than_the_window(shown)
            assert serious(shown) == []


@pytest.mark.parametrize("game", game_ids())
def test_state_diagrams_are_drawn_and_have_a_name(game, tmp_path, opened):
    edition = load_edition(load_game(game))
    drawn = diagram(edition.game, rules_of(edition), by_dot=False)
    path = tmp_path / "diagram.html"
    path.write_text(
        f"<!DOCTYPE html><html lang=en><title>rules</title><main><h1>Rules</h1>{drawn}"
    )
    with opened(path) as shown:
        assert shown.get_by_role("img").count() == 1
        assert shown.locator("svg .rule").count() > 5
        assert serious(shown) == []
