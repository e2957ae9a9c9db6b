-- Lists of runs cost what is listed, however many there are.
CREATE INDEX run_by_time ON run(user_id, started, id);
CREATE INDEX run_open ON run(user_id, started, id) WHERE status IN ('running', 'waiting');
