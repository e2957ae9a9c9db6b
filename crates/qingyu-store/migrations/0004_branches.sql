-- A branch is a project of its own that shares the log of another one up to a change, under a name that is unique there.
ALTER TABLE project ADD COLUMN branch_of TEXT REFERENCES project(id);
ALTER TABLE project ADD COLUMN branch_name TEXT;
-- The change in the log of the branch up to which both sides know of each other: where it began, or was merged last.
ALTER TABLE project ADD COLUMN branch_base INTEGER;
CREATE UNIQUE INDEX project_branch ON project(branch_of, branch_name) WHERE branch_of IS NOT NULL;
