CREATE TABLE runs (operation text NOT NULL, what text NOT NULL);
