-- Vectors of models that are not used any more are found without reading all vectors of all projects.
CREATE INDEX chunk_vector_by_model ON chunk_vector(project_id, model);
