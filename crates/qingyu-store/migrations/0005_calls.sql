-- What a call was for, and whether it cost anything at all.
-- The chapter that it worked on, if it worked on one.
ALTER TABLE call ADD COLUMN chapter INTEGER;
-- Whether its answer was played from a recording: then its price is what it cost whoever recorded it.
ALTER TABLE call ADD COLUMN replayed INTEGER NOT NULL DEFAULT 0;
-- What a day has cost.
CREATE INDEX call_by_time ON call(user_id, at);
