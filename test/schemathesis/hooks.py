"""Puts ids of existing records into the paths and bodies of requests, and counts the answers by status."""

import atexit
import json
import os
import random
from collections import Counter

import schemathesis

KEPT = 40
"""How many ids of each resource are remembered; the newest ones are."""

SHARE = 0.9
"""Share of the parameters and fields that get the id of an existing record; the others stay as drawn."""

with open(os.environ["FUZZ_RECORDS"], encoding="utf-8") as file:
    told = json.load(file)
named, made, refers, ids = told["named"], told["made"], told["refers"], told["ids"]
statuses = Counter()
drawn = random.Random(told["seed"])


def name_records(values, resources):
    for name, value in values.items():
        known = ids.get(resources.get(name))
        if known and drawn.random() < SHARE:
            if isinstance(value, list):
                values[name] = [drawn.choice(known) for _ in value]
            elif isinstance(value, (int, str)) and not isinstance(value, bool):
                values[name] = drawn.choice(known)
        if isinstance(value, dict):
            name_records(value, resources)


@schemathesis.hook
def before_call(ctx, case, **kwargs):
    if case.path_parameters:
        name_records(case.path_parameters, named.get(ctx.operation.path, {}))
    if isinstance(case.body, dict):
        name_records(case.body, refers.get(f"{case.method} {ctx.operation.path}", {}))


@schemathesis.hook
def after_call(ctx, case, response):
    statuses[response.status_code] += 1
    resource = made.get(f"{case.method} {ctx.operation.path}")
    if resource is None or response.status_code >= 300 or not response.content:
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
