CREATE VECTOR INDEX index_trial FOR (n:IndexTrial) ON (n.embedding) WITH [n.kb] OPTIONS $options
