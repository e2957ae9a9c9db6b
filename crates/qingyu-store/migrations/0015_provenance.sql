-- The tool and the run of a change stood in the text of its key.
ALTER TABLE story_change ADD COLUMN tool TEXT NOT NULL DEFAULT '';
ALTER TABLE story_change ADD COLUMN run TEXT;
ALTER TABLE story_change ADD COLUMN note TEXT NOT NULL DEFAULT '';
UPDATE story_change SET tool = substr(step, 6, instr(step, '/') - 6) WHERE step LIKE 'tool %/%';
UPDATE story_change SET run = run_id WHERE EXISTS (SELECT 1 FROM run WHERE run.id = story_change.run_id);
