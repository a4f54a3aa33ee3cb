-- Notes a run. One that follows on what is held from the beginning becomes part of it.
INSERT INTO applied (first, last, last_event)
SELECT if((
    {applied}) + 1 >= {first:UInt64}, 1, {first:UInt64}), {last:UInt64}, ({last:UInt64}, toUUID({event:String}))
