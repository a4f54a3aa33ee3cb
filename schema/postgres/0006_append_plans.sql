-- The function's statements have one good plan each, by index. Left to choose, Postgres
-- plans them anew on every call, since arrays of known length look cheaper than unknown
-- ones: measured, that was more than half of an append's time in the function.
ALTER FUNCTION append_events SET plan_cache_mode = force_generic_plan;
