-- What a request has made or changed, written with it: whoever asks again after a crash is told of it, and it is not done twice.
ALTER TABLE idempotency ADD COLUMN made TEXT;
