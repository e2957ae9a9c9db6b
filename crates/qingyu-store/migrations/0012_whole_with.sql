-- The model of which all chunks had a vector when that was looked at after the newest change; empty if it has to be looked at.
ALTER TABLE search_index ADD COLUMN whole_with TEXT NOT NULL DEFAULT '';
-- The projects that are behind a model are found without going through those that are not.
CREATE INDEX search_index_by_whole_with ON search_index(whole_with);
