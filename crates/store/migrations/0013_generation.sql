-- How many changes there were to what nodes keep between requests: grows with every write but the turns' own.
CREATE TABLE generation (
  number BIGINT NOT NULL
);
INSERT INTO generation (number) VALUES (1);
