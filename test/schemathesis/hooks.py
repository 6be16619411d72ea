"""Puts ids of records that there are into the paths of requests, and counts the answers by status."""

import atexit
import json
import os
import random
from collections import Counter

import schemathesis

KEPT = 40
"""Ids remembered of each resource: the newest."""

SHARE = 0.9
"""Of the parameters, which name a record that there is; the others stay as they were drawn."""

with open(os.environ["FUZZ_RECORDS"], encoding="utf-8") as file:
    told = json.load(file)
named, made, ids = told["named"], told["made"], told["ids"]
statuses = Counter()
drawn = random.Random(told["seed"])


@schemathesis.hook
def before_call(ctx, case, **kwargs):
    for parameter, resource in named.get(ctx.operation.path, {}).items():
        known = ids.get(resource)
        if known and case.path_parameters and drawn.random() < SHARE:
            case.path_parameters[parameter] = drawn.choice(known)


@schemathesis.hook
def after_call(ctx, case, response):
    statuses[response.status_code] += 1
    resource = made.get(f"{case.method} {ctx.operation.path}")
    if resource is None or response.status_code >= 300:
        return
    body = response.json()
    for record in body if isinstance(body, list) else [body]:
        if isinstance(record, dict) and isinstance(record.get("id"), int):
            others = [id for id in ids.get(resource, []) if id != record["id"]]
            ids[resource] = (others + [record["id"]])[-KEPT:]


@atexit.register
def write():
    with open(os.environ["FUZZ_COUNTS"], "w", encoding="utf-8") as file:
        json.dump(statuses, file)
