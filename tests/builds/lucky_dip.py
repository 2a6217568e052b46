"""A sample build of Lucky Dip, the game of ``tests/lucky_dip.py``: a function to call."""

PLAYS = {}


def answer(request):
    """Return the event that a request leads to, or {"error": why}."""
    if request["do"] == "start":
        values = request["edition"]["parameters"]
        start = {"draws_left": 3, "jar": 0, "meter": 0, "level": 0, "over": False, "paid": 0}
        PLAYS[request["play"]] = (values["jar"], values["amount"], start)
        return event(request, 0, "start")
    _, _, s = PLAYS[request["play"]]
    if request["do"] == "resume":
        return event(request, request["step"], "resume")
    reveal = request["reveal"]
    if request["event"] == "draw" and s["draws_left"] and fits(reveal):
        draw(request["play"], reveal["coins"], reveal["stars"])
    elif request["event"] == "finish" and not reveal and not s["draws_left"] and not s["over"]:
        jar, amount, _ = PLAYS[request["play"]]
        s |= {"over": True, "paid": amount * 2 ** s["level"] if s["jar"] == jar else 0}
    else:
        return {"error": f"{request['event']} may not come here with {reveal}"}
    return event(request, request["step"], request["event"])


def fits(reveal):
    return set(reveal) == {"coins", "stars"} and (
        0 <= reveal["coins"] <= 5 and 0 <= reveal["stars"] <= 3
    )


def draw(play, coins, stars):
    jar, _, s = PLAYS[play]
    full, left = divmod(s["meter"] + stars, 2)
    s |= {
        "draws_left": s["draws_left"] - 1,
        "jar": min(jar, s["jar"] + coins),
        "meter": left,
        "level": min(2, s["level"] + full),
    }


def event(request, step, name):
    s = PLAYS[request["play"]][2]
    made = {"play": request["play"], "step": step, "event": name, "shows": dict(s)}
    if name == "finish":
        made |= {"paid": s["paid"], "won": {"jar": s["paid"]} if s["paid"] else {}}
    return made
